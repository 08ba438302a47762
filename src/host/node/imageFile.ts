import { readFile, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { SharpOptions } from "sharp";
import { checkPixels, type Image, maxPixels } from "../../engine/image/image.js";
import { toSrgbOf } from "../colorProfile.js";
import { type ImageFormat, imageHeader } from "../imageHeader.js";
import { overWhite } from "../overWhite.js";
import { withoutText } from "./pngHead.js";
import { readFromMemory } from "./readAt.js";
import { hasSoundStrips } from "./tiffCheck.js";

/** The path of an image that is piped into the command. */
export const stdin = "-";

/** Formats that are decoded. Others of sharp's are unsafe: an SVG of a few bytes can take minutes. */
const readFormats: readonly ImageFormat[] = ["png", "jpeg", "webp", "gif", "tiff", "avif"];

/**
 * Reads an image from a file or stdin: PNG, JPEG, WebP, GIF, TIFF or AVIF; grey, RGB or RGBA (composited over white), 8
 * or 16 bits, with its EXIF orientation applied. Colours with a profile are converted to sRGB (`toSrgbOf`); other values
 * are kept as they are. Format and size are checked before decoding.
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
  const { format, size, sharpOptions } = checkHeader(bytes, path);
  if (size) checkPixels(path, size);
  const sharp = await loadSharp();
  const fail = () => {
    throw damageError(path);
  };
  const source = format === "png" ? withoutText(bytes) : bytes;
  const { width, height, depth, icc } = await sharp(source, { ...sharpOptions, limitInputPixels: false })
    .metadata()
    .catch(fail);
  checkPixels(path, { width, height });
  if (format === "tiff" && !(await hasSoundStrips(readFromMemory(bytes)))) fail();
  try {
    const isWide = depth === "ushort";
    const { data, info } = await sharp(source, { ...sharpOptions, limitInputPixels: maxPixels })
      .ensureAlpha()
      .toColourspace(isWide ? "rgb16" : "srgb")
      .raw({ depth: isWide ? "ushort" : "uchar" })
      .toBuffer({ resolveWithObject: true });
    const values = isWide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    return {
      width: info.width,
      height: info.height,
      data: overWhite(values, isWide ? 65535 : 255, toSrgbOf(source, icc)),
    };
  } catch {
    return fail();
  }
}

/**
 * Checks the first bytes of an image file.
 * @returns its format, its size if the header has it, and options for sharp
 * @throws Error of one sentence if the format is not supported
 */
export function checkHeader(bytes: Uint8Array, path: string) {
  const { format, size } = imageHeader(bytes) ?? {};
  if (!format || !readFormats.includes(format)) {
    throw new Error(`${path} is not an image in a supported format. Use PNG, JPEG or WebP.`);
  }
  // Warnings of the JPEG decoder mean damaged pixels. Other decoders warn about valid files, such as about TIFF tags.
  const failOn = format === "jpeg" ? "warning" : "error";
  return { format, size, sharpOptions: { failOn, ignoreIcc: true, autoOrient: true } satisfies SharpOptions };
}

/** Returns the error for a truncated or damaged image. */
export function damageError(path: string): Error {
  return new Error(`${path} is damaged or truncated.`);
}

/** Loads sharp. It is loaded late, so that a missing file is reported without delay. */
export async function loadSharp() {
  return (await import("sharp")).default;
}

/**
 * Reads an image file, or a part of it.
 * @throws Error of one sentence: missing, a folder, empty, no permission
 */
export async function readFrom<B extends Uint8Array>(path: string, read: () => Promise<B>): Promise<B> {
  try {
    if ((await stat(path)).isDirectory()) throw new Error(`${path} is a folder, not an image.`);
    const bytes = await read();
    if (bytes.length === 0) throw new Error(`${path} is empty.`);
    return bytes;
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
export async function encodePng({ width, height, data }: Image): Promise<Buffer> {
  const sharp = await loadSharp();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
}
