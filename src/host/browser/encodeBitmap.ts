import type { Image } from "../../engine/image/image.js";

/** Encodes an image as a lossless PNG file in this thread. */
export function encodePng({ width, height, data }: Image): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas.convertToBlob({ type: "image/png" });
}
