import type { Image, Size } from "../image/image.js";
import { hilbertCurve } from "./hilbert.js";

/** Fraction of the blobs that follow the detail; the others are spread evenly. */
const detailFraction = 0.9;

/** Exponent of the gradient's magnitude. */
const detailPower = 0.7;

/** Most blobs per pixel; the excess goes where there is less detail. */
const maxDensity = 0.2;
const capIterations = 5;

/** Returns the density of blobs over the pixels, with a sum of 1: mostly by the image's detail, the rest even. */
export function detailDensity(image: Image, blobs: number): Float64Array {
  const density = blurred(image, (y, row) => gradientMagnitudes(image, y, row));
  let sum = 0;
  for (let i = 0; i < density.length; i++) {
    density[i] **= detailPower;
    sum += density[i];
  }
  // An image of one colour has no detail.
  let scale = sum > 0 ? detailFraction / sum : 0;
  let even = (sum > 0 ? 1 - detailFraction : 1) / density.length;
  // The excess above the cap goes to other pixels, and may lift some of them above it.
  const cap = Math.max(maxDensity / blobs, 1 / density.length);
  for (let k = 0; k < capIterations; k++) {
    sum = 0;
    for (let i = 0; i < density.length; i++) {
      density[i] = Math.min(scale * density[i] + even, cap);
      sum += density[i];
    }
    // From now on, the density includes the even part.
    [scale, even] = [1 / sum, 0];
  }
  for (let i = 0; i < density.length; i++) density[i] *= scale;
  return density;
}

/**
 * Yields points sampled from a density over the pixels, in order along a Hilbert curve, one from each of `count` equal
 * parts of the density. Points are well spread, and consecutive ones are close.
 * @param random returns numbers in [0, 1)
 * @param sum of the density
 */
export function* samplePoints(
  density: Float64Array,
  { width, height }: Size,
  count: number,
  random: () => number,
  sum = 1,
) {
  let sampled = 0;
  let cumulative = 0;
  let next = random() / count;
  const curve = hilbertCurve(width, height);
  for (let k = 0; k < curve.length; k++) {
    const pixel = curve[k];
    cumulative += density[pixel] / sum;
    // Rounding must not lose the last points.
    const reached = k === curve.length - 1 ? 2 : cumulative;
    for (; sampled < count && reached > next; next = (sampled + random()) / count) {
      sampled++;
      yield { x: (pixel % width) + random() - 0.5, y: Math.floor(pixel / width) + random() - 0.5, pixel };
    }
  }
}

/** Writes the magnitude of the colour gradient along a row, by central differences of 8-bit values over two pixels. */
export function gradientMagnitudes({ width, height, data }: Image, y: number, row: Float64Array): void {
  const above = y > 0 ? 4 * width : 0;
  const below = y < height - 1 ? 4 * width : 0;
  for (let x = 0, i = y * width; x < width; x++, i++) {
    const left = x > 0 ? 4 : 0;
    const right = x < width - 1 ? 4 : 0;
    let square = 0;
    for (let at = 4 * i; at < 4 * i + 3; at++) {
      const dx = data[at + right] - data[at - left];
      const dy = data[at + below] - data[at - above];
      square += dx * dx + dy * dy;
    }
    row[x] = Math.sqrt(square);
  }
}

/**
 * Returns the mean over the 3×3 pixels around each, so that a density is as smooth as blobs are wide.
 * @param write writes the values of row y; called once for each row, from the top
 */
export function blurred({ width, height }: Size, write: (y: number, row: Float64Array) => void): Float64Array {
  const mean = new Float64Array(width * height);
  const values = new Float64Array(width);
  // Horizontal means of the latest three rows.
  const across = [0, 1, 2].map(() => new Float64Array(width));
  for (let y = 0, i = 0; y < height; y++) {
    for (let next = y === 0 ? 0 : y + 1; next < Math.min(y + 2, height); next++) {
      write(next, values);
      const row = across[next % 3];
      for (let x = 0; x < width; x++) {
        row[x] = (values[x > 0 ? x - 1 : x] + values[x] + values[x < width - 1 ? x + 1 : x]) / 3;
      }
    }
    const [above, current, below] = [Math.max(y - 1, 0), y, Math.min(y + 1, height - 1)].map((y) => across[y % 3]);
    for (let x = 0; x < width; x++, i++) mean[i] = (above[x] + current[x] + below[x]) / 3;
  }
  return mean;
}
