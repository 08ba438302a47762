import { readFile, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { checkPixels, type Image } from "../../engine/image/image.js";
import { decodeBy, loadSharp, readSource, undecodable } from "./imageSource.js";
import { overWhite } from "./overWhite.js";
import { readFromMemory } from "./readAt.js";

/** The path of an image that is piped into the command. */
export const stdin = "-";

/**
 * Reads an image from a file or stdin: PNG, JPEG or WebP; grey, RGB or RGBA (composited over white), 8 or 16 bits, with its EXIF orientation applied. Colours with a profile are converted to sRGB by Little CMS; other values are kept as
 * they are. Format and size are checked before decoding.
 * @throws Error of one sentence: missing, a folder, empty, not an image, damaged or truncated, too large
 */
export async function decodeImage(path: string): Promise<Image> {
  if (path === stdin) return decodeImageBytes(await readStdin(), "stdin");
  return decodeImageBytes(await readFrom(path, () => readFile(path)), path);
}

/** @throws Error of one sentence if nothing was written to stdin */
async function readStdin(): Promise<Uint8Array> {
  if (process.stdin.isTTY) throw new Error("stdin is a terminal. Pipe an image into the command.");
  const bytes = await buffer(process.stdin);
  if (bytes.length === 0) throw new Error("stdin is empty.");
  return bytes;
}

/**
 * Decodes the bytes of an image file, as `decodeImage`.
 * @param path name of the file in errors
 */
export async function decodeImageBytes(bytes: Uint8Array, path: string): Promise<Image> {
  const { input, decoding } = await readSource(path, readFromMemory(bytes));
  checkPixels(path, decoding.size);
  const { isWide } = decoding;
  const { data, info } = await decodeBy(input, decoding, (image) =>
    image.raw({ depth: isWide ? "ushort" : "uchar" }).toBuffer({ resolveWithObject: true }),
  ).catch(({ message }: Error) => {
    throw undecodable(path, message);
  });
  const values = isWide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { width: info.width, height: info.height, data: overWhite(values, isWide ? 65535 : 255) };
}

/**
 * Reads an image file, or a part of it.
 * @throws Error of one sentence: missing, a folder, no permission
 */
export async function readFrom<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    if ((await stat(path)).isDirectory()) throw new Error(`${path} is a folder, not an image.`);
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new Error(`There is no file ${path}.`);
    if (code === "EACCES") throw new Error(`${path} cannot be read: permission denied.`);
    throw error;
  }
}

/**
 * Returns a small version of an image as a data URL.
 * @param file path or contents
 * @param width smallest width in pixels
 * @param height smallest height in pixels
 */
export async function thumbnail(file: string | Uint8Array, width: number, height = width): Promise<string> {
  const sharp = await loadSharp();
  const thumbnailBytes = await sharp(file).resize(width, height, { fit: "outside" }).webp().toBuffer();
  return `data:image/webp;base64,${thumbnailBytes.toString("base64")}`;
}

/** Encodes an image as a PNG file, 8 bits, RGB. */
export async function encodePng(image: Image): Promise<Buffer> {
  return (await opaque(image)).png().toBuffer();
}

/** Encodes an image as a WebP file with small losses. */
export async function encodeWebp(image: Image): Promise<Buffer> {
  return (await opaque(image)).webp({ quality: 95, smartSubsample: true }).toBuffer();
}

async function opaque({ width, height, data }: Image) {
  const sharp = await loadSharp();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return sharp(bytes, { raw: { width, height, channels: 4 } }).removeAlpha();
}
