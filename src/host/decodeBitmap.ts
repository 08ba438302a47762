import { checkPixels, type Image } from "../engine/picture/image.js";
import { pictureHead } from "./pictureHead.js";

/** Bytes of a file in which its head is looked for: a JPEG's stands behind whatever its camera has to say. */
const longestHead = 2 ** 26;

/**
 * Decodes a picture in this thread, upright as its EXIF orientation says, its values as they are in the file, over
 * white where it is transparent. Its size is read from its head, where that tells it, before anything is decoded.
 * @param name what it is called in errors
 * @throws Error of one sentence
 */
export async function decodeBitmap(file: Blob, name = "The picture"): Promise<Image> {
  const unreadable = () => {
    throw new Error(`${name} is not a picture that this browser can read.`);
  };
  // To draw an SVG takes as long as whoever wrote it likes.
  if (/svg/i.test(file.type)) unreadable();
  const head = pictureHead(new Uint8Array(await file.slice(0, longestHead).arrayBuffer()));
  if (head?.size) checkPixels(name, head.size);
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" }).catch(
    unreadable,
  );
  try {
    checkPixels(name, bitmap);
    return pixelsOf(bitmap, name);
  } finally {
    bitmap.close();
  }
}

function pixelsOf(bitmap: ImageBitmap, name: string): Image {
  const { width, height } = bitmap;
  try {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } catch {
    throw tooLarge(name);
  }
}

/** Of a picture for which this browser has no memory. */
export function tooLarge(name: string): Error {
  return new Error(`${name} has more pixels than this browser can decode.`);
}
