import type { Image } from "../../engine/image/image.js";

/** Decodes an image without changing its values. */
export function openBitmap(file: Blob): Promise<ImageBitmap> {
  return createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
}

/**
 * Returns the pixels of a bitmap.
 * @param name name of the image in errors
 */
export function readPixels(bitmap: ImageBitmap, name: string): Image {
  const { width, height } = bitmap;
  try {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } catch {
    throw tooLargeError(name);
  }
}

/** Returns the error for an image that does not fit into the browser's memory. */
export function tooLargeError(name: string): Error {
  return new Error(`${name} has more pixels than this browser can decode.`);
}
