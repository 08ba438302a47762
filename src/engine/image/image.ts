import { limitText, mustBe } from "../quoted.js";
import { sha256 } from "../sha256.js";

/** Width and height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Returns only the size of an image, such as to send it to another thread. */
export function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

/** An image of 8-bit sRGB values, row by row from the top, four bytes per pixel. Alpha is always 255. */
export interface Image extends Size {
  /** 4·width·height bytes: red, green, blue, 255. */
  data: Uint8ClampedArray;
}

/**
 * Most pixels of an image, on every host. A job keeps 16 bytes per pixel on its adapter, which is 1 GiB at this size,
 * and decoding takes as much.
 */
export const maxPixels = 2 ** 26;

/**
 * Refuses an image by its size, before memory is allocated for its pixels.
 * @param name of the image in the error
 * @throws Error of one sentence
 */
export function checkPixels(name: string, { width, height }: Size): void {
  if (width * height <= maxPixels) return;
  const side = Math.sqrt(maxPixels);
  throw new Error(
    mustBe(name, `at most ${limitText(maxPixels)} pixels, such as ${side}x${side}`, `${width}x${height}`),
  );
}

/** The value 0..1 of each byte of an image; a table is faster than a division. */
export const fractionOfByte = Float64Array.from({ length: 256 }, (_, byte) => byte / 255);

/** A float32 render: red, green and blue over the background, and the transmittance. */
export interface FloatImage extends Size {
  /** 4·width·height values. */
  data: Float32Array;
}

/** Returns a render as 8-bit values, with each channel clamped to 0..1 and rounded. */
export function toImage({ width, height, data }: FloatImage): Image {
  const bytes = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i++) bytes[i] = (i & 3) === 3 ? 255 : 255 * data[i];
  return { width, height, data: bytes };
}

/** Returns the SHA-256 of the size and the pixels, in hexadecimal; the same on every host. */
export async function hashImage({ width, height, data }: Image): Promise<string> {
  const bytes = new Uint8Array(8 + data.length);
  new DataView(bytes.buffer).setUint32(0, width, true);
  new DataView(bytes.buffer).setUint32(4, height, true);
  bytes.set(data, 8);
  return sha256(bytes);
}
