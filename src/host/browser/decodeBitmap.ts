import { checkPixels, type Image } from "../../engine/image/image.js";
import { readColors } from "../colorProfile.js";
import { imageHeader } from "../imageHeader.js";
import { overWhite } from "../overWhite.js";
import { openBitmap, readPixels } from "./bitmapPixels.js";

/** Bytes of a file to search for its header, which in a JPEG follows all metadata of the camera. */
const maxHeadBytes = 2 ** 26;

/**
 * Decodes an image in this thread, with the same values as in Node: EXIF orientation applied, composited over white,
 * and converted to sRGB if it has a colour profile. The size is checked before decoding, if the header has it.
 * @param name name of the image in errors
 * @throws Error of one sentence
 */
export async function decodeBitmap(file: Blob, name = "The image"): Promise<Image> {
  const unreadable = () => {
    throw new Error(`${name} is not an image that this browser can read.`);
  };
  // An SVG may take any time to draw.
  if (/svg/i.test(file.type)) unreadable();
  const head = new Uint8Array(await file.slice(0, maxHeadBytes).arrayBuffer());
  const size = imageHeader(head)?.size;
  if (size) checkPixels(name, size);
  const bitmap = await openBitmap(file).catch(unreadable);
  try {
    checkPixels(name, bitmap);
    const image = readPixels(bitmap, name);
    return { ...image, data: overWhite(new Uint8Array(image.data.buffer), 255, readColors(head).toSrgb) };
  } finally {
    bitmap.close();
  }
}
