import type { Image } from "../../engine/image/image.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { follow } from "../training/follow.js";
import type { Inspection } from "../training/readbacks.js";
import type { Render, Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

/** Returns the PSNR of a recorded render against a run's target, in decibels, or -∞ if it shows another image. */
export type RecordedPsnr = (target: ChosenImage) => Promise<number>;

/** The recorded render with which the lab opens. */
export interface OpeningImage {
  /**
   * Yields whether the run's render replaces it: once the render is better, or the reader has controlled the run.
   * @param moment the earlier step that the page shows, or null
   */
  isReplaced(run: Run, render: Render, moment: Inspection | null): AsyncGenerator<boolean, void, void>;
}

/**
 * Returns the recorded render that the lab shows until the page's first run is better.
 * @param recorded undefined if the link gives a job, which is shown at once
 */
export function openingImage(recorded: RecordedPsnr | undefined): OpeningImage {
  let isReplaced = recorded === undefined;
  let first: Run | undefined;
  let requiredPsnr: Promise<number> | undefined;
  return {
    isReplaced(run, { psnr }, moment) {
      first ??= run;
      requiredPsnr ??= recorded?.(run.target);
      return follow(run, async () => {
        isReplaced ||= run !== first || moment !== null || run.isIdle || psnr > (await requiredPsnr!);
        return isReplaced;
      });
    },
  };
}

/**
 * Returns a measurement of the last frame of src/recordedStart.webp.ts, enlarged as on the page.
 * @param name the gallery image of the recorded run
 */
export function psnrOfStrip(name: string, strip: Blob | Promise<Blob>): RecordedPsnr {
  return async ({ image, inGallery }) => {
    if (inGallery !== name) return Number.NEGATIVE_INFINITY;
    const { width, height, data } = await lastFrame(await strip, image);
    return runInWorker("psnr", { width, height, data: Float32Array.from(data, (byte) => byte / 255) }, image);
  };
}

/** Returns the lowest square frame of a strip, scaled to a size. */
async function lastFrame(file: Blob, { width, height }: Image): Promise<Image> {
  const strip = await createImageBitmap(file);
  const side = strip.width;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  context.drawImage(strip, 0, strip.height - side, side, side, 0, 0, width, height);
  strip.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
