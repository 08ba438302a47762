import type { Image } from "../../engine/image/image.js";
import type { ChosenImage } from "../../host/browser/pictures.js";
import { follow } from "../training/follow.js";
import type { Inspection, Render, Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

/** Returns the PSNR of a recorded render against a run's target, in decibels; -∞ where it is of another image. */
export type RecordedPsnr = (target: ChosenImage) => Promise<number>;

/** The recorded render with which the lab opens. */
export interface OpeningImage {
  /**
   * Yields whether the run's render replaces it: from when the render is better, or the reader does anything with the run.
   * @param moment where in the run the reader went back to
   */
  isReplaced(run: Run, render: Render, moment: Inspection | null): AsyncGenerator<boolean, void, void>;
}

/**
 * Returns the recorded render that is shown until the page's first run is better, against the same target.
 * @param recorded undefined where the link asks for a run of its own, which is shown at once
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
 * Measures the last frame of src/recordedStart.webp.ts, enlarged as the page shows it.
 * @param name of the image in the gallery that its run learned
 */
export function psnrOfStrip(name: string, strip: Blob | Promise<Blob>): RecordedPsnr {
  return async ({ image, inGallery }) => {
    if (inGallery !== name) return Number.NEGATIVE_INFINITY;
    const { width, height, data } = await lastFrame(await strip, image);
    return runInWorker("psnr", { width, height, data: Float32Array.from(data, (byte) => byte / 255) }, image);
  };
}

/** The lowest of a strip's square frames, at another size. */
async function lastFrame(file: Blob, { width, height }: Image): Promise<Image> {
  const strip = await createImageBitmap(file);
  const side = strip.width;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  context.drawImage(strip, 0, strip.height - side, side, side, 0, 0, width, height);
  strip.close();
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
