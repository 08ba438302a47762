import { checkPixels, type Image } from "../../engine/image/image.js";
import { toSrgbOf } from "../colorProfile.js";
import { imageHeader } from "../imageHeader.js";
import { overWhite } from "../overWhite.js";

/** Bytes of a file in which its head is looked for: a JPEG's stands behind whatever its camera has to say. */
const maxHeadBytes = 2 ** 26;

/**
 * Decodes a picture in this thread as Node does: upright as its EXIF orientation says, over white where it is
 * transparent, and converted to sRGB by its profile; all other values are those in the file. Its size is read from its head, where that tells it, before anything is decoded.
 * @param name what it is called in errors
 * @throws Error of one sentence
 */
export async function decodeBitmap(file: Blob, name = "The image"): Promise<Image> {
  const unreadable = () => {
    throw new Error(`${name} is not an image that this browser can read.`);
  };
  // To draw an SVG takes as long as whoever wrote it likes.
  if (/svg/i.test(file.type)) unreadable();
  const head = new Uint8Array(await file.slice(0, maxHeadBytes).arrayBuffer());
  const size = imageHeader(head)?.size;
  if (size) checkPixels(name, size);
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" }).catch(
    unreadable,
  );
  try {
    checkPixels(name, bitmap);
    const image = readPixels(bitmap, name);
    return { ...image, data: overWhite(new Uint8Array(image.data.buffer), 255, toSrgbOf(head)) };
  } finally {
    bitmap.close();
  }
}

function readPixels(bitmap: ImageBitmap, name: string): Image {
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

/** Of a picture for which this browser has no memory. */
export function tooLargeError(name: string): Error {
  return new Error(`${name} has more pixels than this browser can decode.`);
}
