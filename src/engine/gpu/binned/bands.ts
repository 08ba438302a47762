import type { Size } from "../../image/image.js";

/** Rows of tiles that have lists at the same time: all of them if memory allows, otherwise some. */
export interface Band {
  /** Size of the band in pixels. */
  size: Size;
  /** Its first row of pixels. */
  top: number;
  imageHeight: number;
}

/** Returns a whole image as a band. */
export function wholeImage(size: Size): Band {
  return { size, top: 0, imageHeight: size.height };
}

/** Returns a band divided into bands of at most `rows` rows of tiles, from its top. */
export function splitBand({ size, top, imageHeight }: Band, tileHeight: number, rows: number): Band[] {
  const { width, height } = size;
  const maxHeight = rows * tileHeight;
  return Array.from({ length: Math.ceil(height / maxHeight) }, (_, k) => ({
    size: { width, height: Math.min(maxHeight, height - k * maxHeight) },
    top: top + k * maxHeight,
    imageHeight,
  }));
}
