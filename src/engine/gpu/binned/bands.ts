import type { Size } from "../../image/image.js";

/** Rows of tiles that have lists at the same time: all of them if memory allows, otherwise some. */
export interface Band {
  /** Size of the band in pixels. */
  size: Size;
  /** Its first row of pixels. */
  top: number;
  imageHeight: number;
}

export function isWholeImage({ size, imageHeight }: Band): boolean {
  return size.height === imageHeight;
}

/** Returns an image's bands of `rows` rows of tiles, from its top. */
export function bandsOf({ width, height }: Size, tileHeight: number, rows: number): Band[] {
  const maxHeight = rows * tileHeight;
  return Array.from({ length: Math.ceil(height / maxHeight) }, (_, k) => ({
    size: { width, height: Math.min(maxHeight, height - k * maxHeight) },
    top: k * maxHeight,
    imageHeight: height,
  }));
}

/** Returns a band's upper and lower half; undefined if it is one row of tiles. */
export function splitBand({ size, top, imageHeight }: Band, tileHeight: number): [Band, Band] | undefined {
  const rows = Math.ceil(size.height / tileHeight);
  if (rows === 1) return undefined;
  const upper = Math.ceil(rows / 2) * tileHeight;
  const { width } = size;
  return [
    { size: { width, height: upper }, top, imageHeight },
    { size: { width, height: size.height - upper }, top: top + upper, imageHeight },
  ];
}
