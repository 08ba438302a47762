import type { TrainConfig } from "../config.js";
import type { Image } from "../image/image.js";
import { parameterCount, stateOf, type TrainingState } from "../model/blobs.js";
import { uniformGenerator } from "../random.js";
import { detailDensity, samplePoints } from "./sampling.js";

type InitialConfig = Pick<TrainConfig, "blobs" | "seed" | "parameterization" | "blend" | "initializer" | "startShare">;

/** Centre of an inactive blob: so far outside the image that it meets no pixel and has no gradient. */
export const inactiveCenter = -1e6;

/** Mean sum of the falloffs at a point at the start. */
const coverage = 3;
const initialOpacity = 0.8;

/** Returns the state before the first step; the same for a random seed and an image on every host. */
export function initialState(config: InitialConfig, image: Image): TrainingState {
  const parameters = new Float32Array(parameterCount * config.blobs);
  if (config.initializer === "gradient") placeByDetail(config, image, parameters);
  else if (config.parameterization === "direct") placeRandomly(config, image, parameters);
  else fillUniformly(config, parameters);
  return stateOf(parameters);
}

/** The original algorithm's initialization: raw parameters uniform in [0, 1). */
function fillUniformly({ blobs, seed }: InitialConfig, parameters: Float32Array): void {
  const random = uniformGenerator(seed);
  for (let blob = 0; blob < blobs; blob++) {
    for (let field = 0; field < parameterCount; field++) parameters[field * blobs + blob] = random();
  }
}

/** A new round blob, in pixels and with a colour of 0..1. */
export interface DirectBlob {
  x: number;
  y: number;
  /** Standard deviation, in pixels. */
  deviation: number;
  color: [number, number, number];
  /** Only with alpha compositing. */
  opacity: number;
}

/** Writes a blob at index i of a field-major buffer of direct parameters. */
export function writeBlob(parameters: Float32Array, i: number, { x, y, deviation, color, opacity }: DirectBlob): void {
  const blobs = parameters.length / parameterCount;
  const log = Math.log(deviation);
  const values = [x, y, log, log, 0, ...color, Math.log(opacity / (1 - opacity))];
  for (const [field, value] of values.entries()) parameters[field * blobs + i] = value;
}

/** Places blobs of one size at random, with random colours. */
function placeRandomly(config: InitialConfig, { width, height }: Image, parameters: Float32Array): void {
  const random = uniformGenerator(config.seed);
  const activeCount = Math.ceil(config.startShare * config.blobs);
  const deviation = deviationOf(activeCount / (width * height));
  const inactiveCount = config.blobs - activeCount;
  const maxColor = config.blend === "sum" ? 1 / coverage : 1;
  for (let blob = 0; blob < config.blobs; blob++) {
    const x = blob >= inactiveCount ? random() * width - 0.5 : inactiveCenter;
    const y = blob >= inactiveCount ? random() * height - 0.5 : inactiveCenter;
    const color: DirectBlob["color"] = [maxColor * random(), maxColor * random(), maxColor * random()];
    writeBlob(parameters, blob, { x, y, deviation, color, opacity: initialOpacity });
  }
}

/** Returns the standard deviation with which blobs cover the image, by their density in blobs per pixel. */
export function deviationOf(density: number): number {
  return Math.sqrt(coverage / (2 * Math.PI * density));
}

/**
 * Places blobs where the image has detail, with its colours and as wide as they are apart. Inactive blobs come first, so
 * they are in front of the others when they become active.
 */
function placeByDetail(config: InitialConfig, image: Image, parameters: Float32Array): void {
  const activeCount = Math.ceil(config.startShare * config.blobs);
  const density = detailDensity(image, activeCount);
  const colorScale = config.blend === "sum" ? 1 / coverage : 1;
  const inactiveCount = config.blobs - activeCount;
  const inactiveBlob: DirectBlob = {
    x: inactiveCenter,
    y: inactiveCenter,
    deviation: 1,
    color: [0, 0, 0],
    opacity: initialOpacity,
  };
  for (let blob = 0; blob < inactiveCount; blob++) writeBlob(parameters, blob, inactiveBlob);
  let blob = inactiveCount;
  for (const { x, y, pixel } of samplePoints(density, image, activeCount, uniformGenerator(config.seed))) {
    const deviation = deviationOf(activeCount * density[pixel]);
    const color = colorAt(image, pixel).map((value) => colorScale * value) as DirectBlob["color"];
    writeBlob(parameters, blob++, { x, y, deviation, color, opacity: initialOpacity });
  }
}

/** Returns red, green and blue of a pixel, 0..1. */
export function colorAt({ data }: Image, pixel: number): [number, number, number] {
  return [data[4 * pixel] / 255, data[4 * pixel + 1] / 255, data[4 * pixel + 2] / 255];
}
