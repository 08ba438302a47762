import { checkPixels, type Image } from "../../engine/image/image.js";
import { readColors } from "../colorProfile.js";
import { imageHeader } from "../imageHeader.js";
import { overWhite } from "../overWhite.js";

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
  const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" } as const;
  const bitmap = await createImageBitmap(file, options).catch(unreadable);
  try {
    checkPixels(name, bitmap);
    const image = readPixels(bitmap, name);
    return { ...image, data: overWhite(new Uint8Array(image.data.buffer), 255, readColors(head).toSrgb) };
  } finally {
    bitmap.close();
  }
}

/** Returns the pixels of a bitmap over white. */
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

/** Returns the error for an image that does not fit into the browser's memory. */
export function tooLargeError(name: string): Error {
  return new Error(`${name} has more pixels than this browser can decode.`);
}
