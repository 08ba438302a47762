import { checkPixels, type Image } from "../../engine/image/image.js";
import { sizeInHeader } from "../imageHeader.js";

/** Bytes of a file to search for its header, which in a JPEG follows all metadata of the camera. */
const maxHeadBytes = 2 ** 26;

/**
 * Decodes an image in this thread: EXIF orientation applied, composited over white, and converted to sRGB by the browser
 * if it has a colour profile. The size of a PNG or JPEG is checked before decoding.
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
  const size = sizeInHeader(head);
  if (size) checkPixels(name, size);
  const bitmap = await createImageBitmap(file, { premultiplyAlpha: "none" }).catch(unreadable);
  try {
    checkPixels(name, bitmap);
    return readPixels(bitmap, name);
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
