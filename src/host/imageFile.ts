import { readFile, stat } from "node:fs/promises";
import { checkPixels, type Image, mostPixels } from "../engine/picture/image.js";
import { type PictureFormat, pictureHead } from "./pictureHead.js";

/** What sharp may be given. Of the others that it knows, an SVG of a few bytes keeps it busy for minutes. */
const readFormats: readonly PictureFormat[] = ["png", "jpeg", "webp", "gif", "tiff", "avif"];

/**
 * Reads a picture: PNG, JPEG, WebP, GIF, TIFF and AVIF; grey, RGB or RGBA (put over white), 8 or 16 bits, turned
 * as its EXIF orientation says. The values are those in the file: an embedded colour profile is not applied. What it is,
 * and how large, its header tells before anything is decoded.
 * @throws Error of one sentence: no such file, a folder, empty, not a picture, damaged or truncated, too large
 */
export async function decodeImage(path: string): Promise<Image> {
  return decodePicture(await readPicture(path), path);
}

/**
 * The same of a file's bytes.
 * @param path what they are called in errors
 */
export async function decodePicture(bytes: Uint8Array, path: string): Promise<Image> {
  const { size, given } = checkHead(bytes, path);
  if (size) checkPixels(path, size);
  const sharp = await loadSharp();
  const damaged = () => {
    throw damage(path);
  };
  const { width, height, depth } = await sharp(bytes, { ...given, limitInputPixels: false })
    .metadata()
    .catch(damaged);
  checkPixels(path, { width, height });
  try {
    const wide = depth === "ushort";
    const { data, info } = await sharp(bytes, { ...given, limitInputPixels: mostPixels })
      .ensureAlpha()
      .toColourspace(wide ? "rgb16" : "srgb")
      .raw({ depth: wide ? "ushort" : "uchar" })
      .toBuffer({ resolveWithObject: true });
    const values = wide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    return { width: info.width, height: info.height, data: overWhite(values, wide ? 65535 : 255) };
  } catch {
    return damaged();
  }
}

/**
 * Checks by a file's first bytes that it is a picture to be read.
 * @returns its size, where the head tells that, and how sharp is to read it
 * @throws Error of one sentence
 */
export function checkHead(bytes: Uint8Array, path: string) {
  const { format, size } = pictureHead(bytes) ?? {};
  if (!format || !readFormats.includes(format)) {
    throw new Error(`${path} is not a picture that can be read; PNG, JPEG and WebP can.`);
  }
  // A JPEG's warnings tell of damaged pixels. Other decoders warn of what is common in good files, such as a TIFF's tags.
  const failOn = format === "jpeg" ? "warning" : "error";
  return { size, given: { failOn, ignoreIcc: true, autoOrient: true } as const };
}

/** What is thrown of a picture that ends too early, or whose pixels cannot be made out. */
export function damage(path: string): Error {
  return new Error(`${path} is damaged or truncated: it cannot be read to its end.`);
}

/** It takes a while to load, which a command that finds no file need not wait for. */
export async function loadSharp() {
  return (await import("sharp")).default;
}

function readPicture(path: string): Promise<Buffer> {
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

/** Straight RGBA of any depth over white, as 8 bits; in place where it has 8. */
export function overWhite(values: Uint8Array | Uint16Array, most: number): Uint8ClampedArray {
  const isOwn = values instanceof Uint8Array && values.byteLength === values.buffer.byteLength;
  const bytes = isOwn ? new Uint8ClampedArray(values.buffer) : new Uint8ClampedArray(values.length);
  for (let i = 0; i < values.length; i += 4) {
    // Most pictures let nothing through.
    if (isOwn && values[i + 3] === 255) continue;
    const alpha = values[i + 3] / most;
    for (let channel = 0; channel < 3; channel++) {
      bytes[i + channel] = 255 * ((alpha * values[i + channel]) / most + 1 - alpha);
    }
    bytes[i + 3] = 255;
  }
  return bytes;
}

/**
 * A picture in small, as an address that holds it.
 * @param file its path, or its bytes
 * @param width in pixels at least, as is the height
 */
export async function thumbnail(file: string | Uint8Array, width: number, height = width): Promise<string> {
  const sharp = await loadSharp();
  const small = await sharp(file).resize(width, height, { fit: "outside" }).webp().toBuffer();
  return `data:image/webp;base64,${small.toString("base64")}`;
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
