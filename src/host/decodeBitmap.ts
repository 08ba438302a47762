import type { Image } from "../engine/image.js";

/**
 * Decodes a picture in this thread, upright as its EXIF orientation says, its values as they are in the file, over
 * white where it is transparent.
 * @throws "unreadable" or "too large"
 */
export async function decodeBitmap(file: Blob): Promise<Image> {
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" }).catch(() => {
    throw "unreadable";
  });
  const { width, height } = bitmap;
  try {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } catch {
    throw "too large";
  } finally {
    bitmap.close();
  }
}
