import type { Image } from "./image.js";

/** The size of a picture whose longer side is reduced to at most `longest`, in whole pixels, in proportion. */
export function reducedSize({ width, height }: { width: number; height: number }, longest: number) {
  const factor = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/**
 * The picture with its longer side reduced to at most `longest` pixels, each of them the mean of the area that it
 * covers: the same bytes on every host. A picture that is small enough is returned as it is.
 */
export function reduceImage(image: Image, longest: number): Image {
  const { width, height } = reducedSize(image, longest);
  if (width === image.width && height === image.height) return image;
  const rows = new Float32Array(4 * width * image.height);
  reduceRows(image.data, image.width, image.height, width, rows);
  // A picture's columns are the rows of its transpose.
  const columns = new Float32Array(4 * height * width);
  reduceRows(transpose(rows, width, image.height), image.height, width, height, columns);
  const data = new Uint8ClampedArray(transpose(columns, height, width));
  for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
  return { width, height, data };
}

function reduceRows(from: ArrayLike<number>, length: number, rows: number, reduced: number, to: Float32Array): void {
  const ratio = length / reduced;
  for (let x = 0; x < reduced; x++) {
    const start = x * ratio;
    const end = Math.min((x + 1) * ratio, length);
    for (let row = 0; row < rows; row++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let i = Math.floor(start); i < end; i++) {
          const share = Math.min(i + 1, end) - Math.max(i, start);
          sum += share * from[4 * (row * length + i) + channel];
        }
        to[4 * (row * reduced + x) + channel] = sum / (end - start);
      }
    }
  }
}

function transpose(from: Float32Array, width: number, height: number): Float32Array {
  const to = new Float32Array(from.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 3; channel++)
        to[4 * (x * height + y) + channel] = from[4 * (y * width + x) + channel];
    }
  }
  return to;
}
