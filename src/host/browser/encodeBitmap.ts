import type { Image } from "../../engine/image/image.js";

/** A picture as a PNG file, every pixel as it is, made in this thread. */
export function encodePng(image: Image): Promise<Blob> {
  return canvasOf(image).convertToBlob({ type: "image/png" });
}

/** A canvas that shows a picture, pixel for pixel. */
export function canvasOf({ width, height, data }: Image): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas;
}
