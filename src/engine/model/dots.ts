import { clamp } from "../clamp.js";
import type { Size } from "../image/image.js";

/** A scale of a chart of dots. */
export interface DotScale {
  /** The column of its values, one of `decodedNames`. */
  column: string;
  isLog: boolean;
  /** The values at its ends; positive on a log scale. */
  domain: readonly [start: number, end: number];
}

/** A chart with a dot per blob, in the blob's colour, of a size in pixels. */
export interface DotChart extends Size {
  x: DotScale;
  y: DotScale;
  /** Radius of a dot in pixels. */
  radius: number;
  /** Opacity of one dot. */
  alpha: number;
}

/** A drawn chart of dots, row by row from the top. */
export interface DotImage extends Size {
  /** Red, green, blue and alpha of each pixel, not premultiplied. */
  data: Uint8ClampedArray;
}

/** The decoded values of all blobs that a chart needs. */
export interface DotValues {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colors: readonly [red: ArrayLike<number>, green: ArrayLike<number>, blue: ArrayLike<number>];
}

/** Returns the ends of a scale, as logarithms on a log scale. */
export function scaleEnds({ isLog, domain: [start, end] }: DotScale): [number, number] {
  return isLog ? [Math.log(start), Math.log(end)] : [start, end];
}

/** Returns where a value is between the ends of its scale: 0 at the start, 1 at the end; NaN if it has no logarithm. */
function scaled(scale: DotScale, [start, end]: [number, number], value: number): number {
  return ((scale.isLog ? Math.log(value) : value) - start) / (end - start);
}

/** Returns whether a position is on its scale. Values at the ends are, rounded or not. */
function isOnScale(position: number): boolean {
  return position >= -1e-5 && position <= 1 + 1e-5;
}

/** Returns per pixel of a chart the number of dots centred there, and the sums of their red, green and blue levels. */
export function countDots(chart: DotChart, { x, y, colors }: DotValues): Uint32Array {
  const { width, height } = chart;
  const [xEnds, yEnds] = [scaleEnds(chart.x), scaleEnds(chart.y)];
  const sums = new Uint32Array(4 * width * height);
  for (let i = 0; i < x.length; i++) {
    const across = scaled(chart.x, xEnds, x[i]);
    const up = scaled(chart.y, yEnds, y[i]);
    if (!(isOnScale(across) && isOnScale(up))) continue;
    const column = clamp(Math.floor(across * width), 0, width - 1);
    const row = clamp(Math.floor((1 - up) * height), 0, height - 1);
    const at = 4 * (row * width + column);
    sums[at]++;
    for (let k = 0; k < 3; k++) sums[at + 1 + k] += Math.round(255 * clamp(colors[k][i], 0, 1));
  }
  return sums;
}

/** Returns the pixels of a dot, from the pixel of its centre, and whether each is on its grey edge. */
function dotOffsets(radius: number): { x: number; y: number; isEdge: boolean }[] {
  const reach = Math.floor(radius);
  const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  return steps
    .flatMap((y) => steps.map((x) => ({ x, y, isEdge: Math.hypot(x, y) > radius - 1 })))
    .filter(({ x, y }) => Math.hypot(x, y) <= radius);
}

/** Returns the pixels of a chart, with alpha, from the sums of `countDots`. */
export function shadeDots({ width, height, radius, alpha }: DotChart, sums: Uint32Array): DotImage {
  const covered = new Uint32Array(sums.length);
  const offsets = dotOffsets(radius);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = 4 * (row * width + column);
      const count = sums[at];
      if (count === 0) continue;
      for (const { x, y, isEdge } of offsets) {
        if (column + x < 0 || column + x >= width || row + y < 0 || row + y >= height) continue;
        const to = at + 4 * (y * width + x);
        const factor = isEdge ? 1 : 2;
        const grey = isEdge ? 128 * count : 0;
        covered[to] += count;
        covered[to + 1] += factor * sums[at + 1] + grey;
        covered[to + 2] += factor * sums[at + 2] + grey;
        covered[to + 3] += factor * sums[at + 3] + grey;
      }
    }
  }
  const data = new Uint8ClampedArray(sums.length);
  for (let at = 0; at < data.length; at += 4) {
    const count = covered[at];
    if (count === 0) continue;
    for (let k = 0; k < 3; k++) data[at + k] = covered[at + 1 + k] / (2 * count);
    data[at + 3] = 255 * (1 - (1 - alpha) ** count);
  }
  return { width, height, data };
}

/** Draws a chart of dots on the CPU. */
export function drawDots(chart: DotChart, values: DotValues): DotImage {
  return shadeDots(chart, countDots(chart, values));
}

/**
 * Returns the blob of the dot that is nearest to a position in a chart, in pixels from its top left corner; undefined if
 * none is within `reach` pixels.
 */
export function nearestDot(
  chart: DotChart,
  { x, y }: Pick<DotValues, "x" | "y">,
  position: readonly [x: number, y: number],
  reach: number,
): number | undefined {
  const { width, height } = chart;
  const [left, right] = [position[0] - reach, position[0] + reach].map((at) => valueAt(chart.x, at / width));
  const [bottom, top] = [position[1] + reach, position[1] - reach].map((at) => valueAt(chart.y, 1 - at / height));
  const [xEnds, yEnds] = [scaleEnds(chart.x), scaleEnds(chart.y)];
  let [nearest, best]: [number | undefined, number] = [undefined, reach];
  for (let i = 0; i < x.length; i++) {
    if (!(x[i] >= left && x[i] <= right && y[i] >= bottom && y[i] <= top)) continue;
    const dx = width * scaled(chart.x, xEnds, x[i]) - position[0];
    const dy = height * (1 - scaled(chart.y, yEnds, y[i])) - position[1];
    const distance = Math.hypot(dx, dy);
    if (distance <= best) [nearest, best] = [i, distance];
  }
  return nearest;
}

/** Returns the value at a position between the ends of a scale, from 0 to 1. */
export function valueAt(scale: DotScale, position: number): number {
  const [start, end] = scaleEnds(scale);
  const value = start + position * (end - start);
  return scale.isLog ? Math.exp(value) : value;
}

/** A brushed part of a chart: inclusive ranges of values. */
export interface DotRange {
  x: readonly [number, number];
  y: readonly [number, number];
}

/** Returns the blobs with both values in a range, by ascending index. */
export function blobsIn({ x, y }: Pick<DotValues, "x" | "y">, range: DotRange): Uint32Array {
  const blobs: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i] >= range.x[0] && x[i] <= range.x[1] && y[i] >= range.y[0] && y[i] <= range.y[1]) blobs.push(i);
  }
  return Uint32Array.from(blobs);
}
