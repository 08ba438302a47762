import { readFile, stat } from "node:fs/promises";
import type { SharpOptions } from "sharp";
import { checkPixels, type Image, maxPixels } from "../../engine/image/image.js";
import { toSrgbOf } from "../colorProfile.js";
import { type ImageFormat, imageHeader } from "../imageHeader.js";
import { overWhite } from "../overWhite.js";
import { withoutText } from "./pngHead.js";
import { readFromMemory } from "./readAt.js";
import { hasSoundStrips } from "./tiffCheck.js";

/** What sharp may be given. Of the others that it knows, an SVG of a few bytes keeps it busy for minutes. */
const readFormats: readonly ImageFormat[] = ["png", "jpeg", "webp", "gif", "tiff", "avif"];

/**
 * Reads a picture: PNG, JPEG, WebP, GIF, TIFF and AVIF; grey, RGB or RGBA (put over white), 8 or 16 bits, turned
 * as its EXIF orientation says. Where a profile says that its colours are not sRGB they are converted (`toSrgbOf`); all
 * other values are those in the file. What it is, and how large, its header tells before anything is decoded.
 * @throws Error of one sentence: no such file, a folder, empty, not a picture, damaged or truncated, too large
 */
export async function decodeImage(path: string): Promise<Image> {
  return decodeImageBytes(await readImageFile(path), path);
}

/**
 * The same of a file's bytes.
 * @param path what they are called in errors
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
 * Checks by a file's first bytes that it is a picture to be read.
 * @returns its format, its size where the head tells that, and how sharp is to read it
 * @throws Error of one sentence
 */
export function checkHeader(bytes: Uint8Array, path: string) {
  const { format, size } = imageHeader(bytes) ?? {};
  if (!format || !readFormats.includes(format)) {
    throw new Error(`${path} is not a picture that can be read; PNG, JPEG and WebP can.`);
  }
  // A JPEG's warnings tell of damaged pixels. Other decoders warn of what is common in good files, such as a TIFF's tags.
  const failOn = format === "jpeg" ? "warning" : "error";
  return { format, size, sharpOptions: { failOn, ignoreIcc: true, autoOrient: true } satisfies SharpOptions };
}

/** What is thrown of a picture that ends too early, or whose pixels cannot be made out. */
export function damageError(path: string): Error {
  return new Error(`${path} is damaged or truncated: it cannot be read to its end.`);
}

/** It takes a while to load, which a command that finds no file need not wait for. */
export async function loadSharp() {
  return (await import("sharp")).default;
}

function readImageFile(path: string): Promise<Buffer> {
  return readFrom(path, () => readFile(path));
}

/**
 * Reads a picture's file, or some of it.
 * @throws Error of one sentence: no such file, a folder, empty, not to be read
 */
export async function readFrom<B extends Uint8Array>(path: string, read: () => Promise<B>): Promise<B> {
  try {
    if ((await stat(path)).isDirectory()) throw new Error(`${path} is a folder, not a picture.`);
    const bytes = await read();
    if (bytes.length === 0) throw new Error(`${path} is empty.`);
    return bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new Error(`There is no file ${path}.`);
    if (code === "EACCES") throw new Error(`${path} may not be read.`);
    throw error;
  }
}

/**
 * A picture in small, as an address that holds it.
 * @param file its path, or its bytes
 * @param width in pixels at least, as is the height
 */
export async function thumbnail(file: string | Uint8Array, width: number, height = width): Promise<string> {
  const sharp = await loadSharp();
  const thumbnailBytes = await sharp(file).resize(width, height, { fit: "outside" }).webp().toBuffer();
  return `data:image/webp;base64,${thumbnailBytes.toString("base64")}`;
}

/** A picture as the bytes of a PNG file, 8 bits, RGB. */
export async function encodePng({ width, height, data }: Image): Promise<Buffer> {
  const sharp = await loadSharp();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return sharp(bytes, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
}
