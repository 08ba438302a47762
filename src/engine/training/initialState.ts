import type { TrainConfig } from "../config.js";
import { parameterCount, stateOf, type TrainingState } from "../model/blobs.js";
import type { Image, Size } from "../picture/image.js";
import { uniformGenerator } from "../random.js";
import { hilbertCurve } from "./hilbert.js";

type Start = Pick<TrainConfig, "blobs" | "seed" | "parameterization" | "blend" | "initializer" | "startShare">;

/** The state before the first step: the same for a seed and a picture on every host. */
export function initialState(config: Start, image: Image): TrainingState {
  const parameters = new Float32Array(parameterCount * config.blobs);
  if (config.initializer === "gradient") placeByGradient(config, image, parameters);
  else if (config.parameterization === "direct") placeAnywhere(config, image, parameters);
  else fillUniformly(config, parameters);
  return stateOf(parameters);
}

/** The seeds' start: raw parameters uniform in [0, 1). */
function fillUniformly({ blobs, seed }: Start, parameters: Float32Array): void {
  const random = uniformGenerator(seed);
  for (let blob = 0; blob < blobs; blob++) {
    for (let field = 0; field < parameterCount; field++) parameters[field * blobs + blob] = random();
  }
}

/** A blob that waits to be placed: so far from the picture that it meets no pixel, and therefore has no gradient. */
export const waitingCenter = -1e6;

/** A direct blob as it is placed: pixels, and a colour of 0..1. */
export interface PlacedBlob {
  x: number;
  y: number;
  /** Standard deviation, in pixels. */
  deviation: number;
  color: [number, number, number];
  /** Of blobs that are blended over others. */
  opacity: number;
}

/** Writes a round blob into place i of a field-major buffer of direct parameters. */
export function writeBlob(parameters: Float32Array, i: number, { x, y, deviation, color, opacity }: PlacedBlob): void {
  const blobs = parameters.length / parameterCount;
  const log = Math.log(deviation);
  const values = [x, y, log, log, 0, ...color, Math.log(opacity / (1 - opacity))];
  for (const [field, value] of values.entries()) parameters[field * blobs + i] = value;
}

/** Blobs of one size anywhere in the picture, of any colour: nothing is known of what they are to learn. */
function placeAnywhere(config: Start, { width, height }: Image, parameters: Float32Array): void {
  const random = uniformGenerator(config.seed);
  const placed = Math.ceil(config.startShare * config.blobs);
  const deviation = deviationOf(placed / (width * height));
  const waiting = config.blobs - placed;
  const most = config.blend === "sum" ? 1 / coverage : 1;
  for (let blob = 0; blob < config.blobs; blob++) {
    const x = blob >= waiting ? random() * width - 0.5 : waitingCenter;
    const y = blob >= waiting ? random() * height - 0.5 : waitingCenter;
    const color: PlacedBlob["color"] = [most * random(), most * random(), most * random()];
    writeBlob(parameters, blob, { x, y, deviation, color, opacity: startOpacity });
  }
}

/** How many times the blobs at the start cover each point, their falloffs added up. */
const coverage = 3;
const startOpacity = 0.8;

/** Share of the blobs that go where the detail is; the others are spread evenly. */
const detailShare = 0.9;

/** By which power of the gradient's magnitude. */
const detailPower = 0.7;

/** Blobs that a pixel takes at most; the rest go where there is less detail. */
const densest = 0.2;
const cappings = 5;

/** The standard deviation with which blobs of a density, in blobs a pixel, cover the picture. */
export function deviationOf(density: number): number {
  return Math.sqrt(coverage / (2 * Math.PI * density));
}

/**
 * Blobs where the picture has detail, as wide as they are apart, with its colours. Those that wait come first: when they
 * are placed they are in front of the others.
 */
function placeByGradient(config: Start, image: Image, parameters: Float32Array): void {
  const placed = Math.ceil(config.startShare * config.blobs);
  const density = detailDensity(image, placed);
  const perCoverage = config.blend === "sum" ? 1 / coverage : 1;
  const waiting = config.blobs - placed;
  const away: PlacedBlob = {
    x: waitingCenter,
    y: waitingCenter,
    deviation: 1,
    color: [0, 0, 0],
    opacity: startOpacity,
  };
  for (let blob = 0; blob < waiting; blob++) writeBlob(parameters, blob, away);
  let blob = waiting;
  for (const { x, y, pixel } of drawPoints(density, image, placed, uniformGenerator(config.seed))) {
    const deviation = deviationOf(placed * density[pixel]);
    const color = colorAt(image, pixel).map((value) => perCoverage * value) as PlacedBlob["color"];
    writeBlob(parameters, blob++, { x, y, deviation, color, opacity: startOpacity });
  }
}

/** Red, green and blue of a pixel, 0..1. */
export function colorAt({ data }: Image, pixel: number): [number, number, number] {
  return [data[4 * pixel] / 255, data[4 * pixel + 1] / 255, data[4 * pixel + 2] / 255];
}

/**
 * Draws points by a density over the pixels. They follow a Hilbert curve at even shares of the density along it: well
 * spread, and neighbours in their order are neighbours in the picture.
 * @param random gives numbers in [0, 1)
 * @param sum what the density adds up to
 */
export function* drawPoints(
  density: Float64Array,
  { width, height }: Size,
  count: number,
  random: () => number,
  sum = 1,
) {
  let drawn = 0;
  let passed = 0;
  let next = random() / count;
  const curve = hilbertCurve(width, height);
  for (let k = 0; k < curve.length; k++) {
    const pixel = curve[k];
    passed += density[pixel] / sum;
    // Rounding must not lose the last ones.
    const reached = k === curve.length - 1 ? 2 : passed;
    for (; drawn < count && reached > next; next = (drawn + random()) / count) {
      drawn++;
      yield { x: (pixel % width) + random() - 0.5, y: Math.floor(pixel / width) + random() - 0.5, pixel };
    }
  }
}

/** How blobs are to be spread over the pixels, adding up to 1: by the picture's detail, a share of them evenly. */
function detailDensity(image: Image, blobs: number): Float64Array {
  const density = blurred(image, (y, row) => gradientMagnitudes(image, y, row));
  let sum = 0;
  for (let i = 0; i < density.length; i++) {
    density[i] **= detailPower;
    sum += density[i];
  }
  let scale = sum > 0 ? detailShare / sum : 0;
  let even = (sum > 0 ? 1 - detailShare : 1) / density.length;
  // What is above the cap goes to the other pixels, some of which it may lift above it.
  const cap = Math.max(densest / blobs, 1 / density.length);
  for (let k = 0; k < cappings; k++) {
    sum = 0;
    for (let i = 0; i < density.length; i++) {
      density[i] = Math.min(scale * density[i] + even, cap);
      sum += density[i];
    }
    [scale, even] = [1 / sum, 0];
  }
  for (let i = 0; i < density.length; i++) density[i] *= scale;
  return density;
}

/** Writes a row's lengths of the colours' gradient, by central differences: of 8-bit values, over two pixels. */
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
 * The mean over the 3×3 pixels around each, so that a density changes no faster than blobs are wide.
 * @param write writes the values of row y, which are asked for from the top, once each
 */
export function blurred({ width, height }: Size, write: (y: number, row: Float64Array) => void): Float64Array {
  const mean = new Float64Array(width * height);
  const values = new Float64Array(width);
  // Means over the pixels beside each other, of the rows that are needed yet.
  const across = [0, 1, 2].map(() => new Float64Array(width));
  for (let y = 0, i = 0; y < height; y++) {
    for (let next = y === 0 ? 0 : y + 1; next < Math.min(y + 2, height); next++) {
      write(next, values);
      const row = across[next % 3];
      for (let x = 0; x < width; x++) {
        row[x] = (values[x > 0 ? x - 1 : x] + values[x] + values[x < width - 1 ? x + 1 : x]) / 3;
      }
    }
    const [above, here, below] = [Math.max(y - 1, 0), y, Math.min(y + 1, height - 1)].map((y) => across[y % 3]);
    for (let x = 0; x < width; x++, i++) mean[i] = (above[x] + here[x] + below[x]) / 3;
  }
  return mean;
}
