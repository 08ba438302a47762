import { type Image, type Picture, toImage } from "../../engine/image.js";

/** A small picture of 8-bit values. */
export type Thumbnail = Image;

/** Pixels of a thumbnail's longer side, at most. */
const longest = 128;

/** A picture, reduced where it is larger than a thumbnail. */
export function thumbnailOf(picture: Picture): Thumbnail {
  const image = toImage(picture);
  const scale = longest / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(scale * side)));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.imageSmoothingQuality = "high";
  context.drawImage(canvasOf(image), 0, 0, width, height);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

/** An image as a PNG file, every pixel as it is. */
export function pngOf(image: Image): Promise<Blob> {
  return canvasOf(image).convertToBlob({ type: "image/png" });
}

function canvasOf({ width, height, data }: Image): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas;
}
