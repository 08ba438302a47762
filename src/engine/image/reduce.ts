import type { Image, Size } from "./image.js";

/** Returns a size with the longer side reduced to at most `longest`, in whole pixels and in proportion. */
export function reducedSize({ width, height }: Size, longest: number): Size {
  const factor = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/**
 * Returns an image with its longer side reduced to at most `longest` pixels, each of them the mean of the area that it
 * covers; the same bytes on every host. An image that is small enough is returned unchanged.
 */
export function reduceImage(image: Image, longest: number): Image {
  const size = reducedSize(image, longest);
  if (size.width === image.width && size.height === image.height) return image;
  const data = new Uint8ClampedArray(4 * size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const { from, until } = rowsUnder(y, image, size);
    const rows = image.data.subarray(4 * image.width * from, 4 * image.width * until);
    data.set(reduceToRow(rows, y, image, size), 4 * size.width * y);
  }
  return { ...size, data };
}

/** Returns the rows of an image, from ≤ y < until, that a row of the reduced image covers. */
export function rowsUnder(y: number, { height }: Size, reduced: Size): { from: number; until: number } {
  const ratio = height / reduced.height;
  return { from: Math.floor(y * ratio), until: Math.ceil(Math.min((y + 1) * ratio, height)) };
}

/**
 * Returns one row of a reduced image, four bytes per pixel.
 * @param rows the pixels of the rows that `rowsUnder` returns
 * @param image the size of the image that contains these rows
 */
export function reduceToRow(rows: Uint8ClampedArray, y: number, image: Size, reduced: Size): Uint8ClampedArray {
  const ratio = image.height / reduced.height;
  const start = y * ratio;
  const end = Math.min((y + 1) * ratio, image.height);
  const { from, until } = rowsUnder(y, image, reduced);
  const sums = new Float64Array(4 * reduced.width);
  const row = new Float32Array(4 * reduced.width);
  for (let i = from; i < until; i++) {
    const coverage = Math.min(i + 1, end) - Math.max(i, start);
    const first = 4 * image.width * (i - from);
    reduceRow(rows.subarray(first, first + 4 * image.width), image.width, reduced.width, row);
    for (let at = 0; at < sums.length; at++) sums[at] += coverage * row[at];
  }
  const bytes = new Uint8ClampedArray(sums.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at & 3) === 3 ? 255 : Math.fround(sums[at] / (end - start));
  return bytes;
}

function reduceRow(from: Uint8ClampedArray, width: number, reduced: number, to: Float32Array): void {
  const ratio = width / reduced;
  for (let x = 0; x < reduced; x++) {
    const start = x * ratio;
    const end = Math.min((x + 1) * ratio, width);
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (let i = Math.floor(start); i < end; i++) {
        sum += (Math.min(i + 1, end) - Math.max(i, start)) * from[4 * i + channel];
      }
      to[4 * x + channel] = sum / (end - start);
    }
  }
}
