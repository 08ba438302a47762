import type { Image } from "../../engine/image/image.js";
import type { ChosenPicture } from "../../host/browser/pictures.js";
import { backstage } from "../backstage/backstage.js";
import { follow } from "../training/follow.js";
import type { Look, Render, Run } from "../training/run.js";

/** Returns the PSNR of a recorded render against a run's target, in decibels; -∞ where it is of another image. */
export type RecordedPsnr = (target: ChosenPicture) => Promise<number>;

/** The recorded render with which the lab opens. */
export interface OpeningImage {
  /**
   * Yields whether the run's render replaces it: from when the render is better, or the reader does anything with the run.
   * @param moment where in the run the reader went back to
   */
  isReplaced(run: Run, render: Render, moment: Look | null): AsyncGenerator<boolean, void, void>;
}

/**
 * Returns the recorded render that is shown until the page's first run is better, against the same target.
 * @param recorded undefined where the link asks for a run of its own, which is shown at once
 */
export function openingImage(recorded: RecordedPsnr | undefined): OpeningImage {
  let isReplaced = recorded === undefined;
  let first: Run | undefined;
  let least: Promise<number> | undefined;
  return {
    isReplaced(run, { psnr }, moment) {
      first ??= run;
      least ??= recorded?.(run.target);
      return follow(run, async () => {
        isReplaced ||= run !== first || moment !== null || run.rests || psnr > (await least!);
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
    return backstage("psnr", { width, height, data: Float32Array.from(data, (byte) => byte / 255) }, image);
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
