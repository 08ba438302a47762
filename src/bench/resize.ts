import type { Image, Size } from "../engine/image/image.js";
import { parseSize } from "../terminal/flags.js";
import type { BenchSite } from "./site.js";

/** Loads an image with its file name, and resizes it to a size such as "512x512" if one is given. */
export async function loadResized(site: BenchSite, path: string | undefined, size?: string) {
  const requestedSize = size === undefined ? undefined : parseSize(size);
  const { name, image } = await site.loadImage(path);
  return { name, image: requestedSize ? resizeImage(image, requestedSize) : image };
}

/**
 * Returns an image cropped around its centre to the shape of a size, and scaled to the size. A pixel is the mean of the
 * source pixels that it covers, or the nearest one if it covers none. Every host computes the same image.
 */
export function resizeImage(image: Image, { width, height }: Size): Image {
  const scale = Math.min(image.width / width, image.height / height);
  const spans = (count: number, sourceCount: number) =>
    Array.from({ length: count }, (_, i) => {
      const start = Math.floor((sourceCount - scale * count) / 2 + scale * i);
      return [start, Math.max(start + 1, Math.floor(start + scale))];
    });
  const columns = spans(width, image.width);
  const rows = spans(height, image.height);
  if (scale <= 1) return enlarge(image, columns, rows);
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (const [y, [top, bottom]] of rows.entries()) {
    for (const [x, [left, right]] of columns.entries()) {
      const sum = [0, 0, 0];
      for (let sourceY = top; sourceY < bottom; sourceY++) {
        for (let sourceX = left; sourceX < right; sourceX++) {
          const source = 4 * (sourceY * image.width + sourceX);
          for (let channel = 0; channel < 3; channel++) sum[channel] += image.data[source + channel];
        }
      }
      const covered = (bottom - top) * (right - left);
      for (let channel = 0; channel < 3; channel++) data[4 * (y * width + x) + channel] = sum[channel] / covered;
    }
  }
  return { width, height, data };
}

/** Repeats source pixels, by whole rows where possible, since enlarged images can be very large. */
function enlarge(image: Image, columns: number[][], rows: number[][]): Image {
  const source = new Uint32Array(image.data.buffer, image.data.byteOffset, image.width * image.height);
  const width = columns.length;
  const pixels = new Uint32Array(width * rows.length);
  for (const [y, [top]] of rows.entries()) {
    if (y > 0 && rows[y - 1][0] === top) {
      pixels.copyWithin(width * y, width * (y - 1), width * y);
      continue;
    }
    for (let x = 0; x < width; x++) pixels[width * y + x] = source[image.width * top + columns[x][0]];
  }
  return { width, height: rows.length, data: new Uint8ClampedArray(pixels.buffer) };
}
