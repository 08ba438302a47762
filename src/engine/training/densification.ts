import type { TrainConfig } from "../config.js";
import { type FloatImage, fractionOfByte, type Image, sizeOf } from "../image/image.js";
import { type Blob, decode, modelOf } from "../model/blob.js";
import { parameterCount, type TrainingState } from "../model/blobs.js";
import { meetsImage } from "../model/support.js";
import type { Pipeline } from "../pipeline.js";
import { uniformGenerator } from "../random.js";
import { colorAt, type DirectBlob, deviationOf, inactiveCenter, writeBlob } from "./initialState.js";
import { blurred, samplePoints } from "./sampling.js";

/** Fewest rounds of density control; the interval of short runs is reduced accordingly. */
const minDensifications = 4;

/** Returns the step of the last round of density control, after which all blobs are active. */
export function lastDensification({ growUntil }: TrainConfig, horizon: number): number {
  return Math.max(1, Math.floor(growUntil * horizon));
}

/**
 * Returns the first step, from `step` on, after which density control runs, or infinity.
 * @param horizon the step at which the schedule ends
 */
export function nextDensification(config: TrainConfig, step: number, horizon: number): number {
  const last = lastDensification(config, horizon);
  if (config.growEvery === 0 || step > last) return Number.POSITIVE_INFINITY;
  const every = Math.min(config.growEvery, Math.ceil(last / minDensifications));
  return Math.min(Math.max(1, Math.ceil(step / every)) * every, last);
}

/** Returns the fraction of the blobs that is active after a step. */
export function activeFraction(config: TrainConfig, step: number, horizon: number): number {
  const progress = Math.min(1, step / lastDensification(config, horizon));
  return config.startShare + (1 - config.startShare) * progress;
}

/** A blob with less weight than this, in pixels of full strength, or than half a new blob, is moved. */
const minWeight = 0.3;

/** Deviation of a new blob, as a fraction of one that would cover the image. */
const newDeviation = 0.5;
const newOpacity = 0.2;

/**
 * Returns a state with blobs moved to where the error is: inactive ones as scheduled, and those that contribute least.
 * The number of blobs stays the same.
 * @param render of the state, at the target's size
 * @param horizon the step at which the schedule ends
 */
export function densify(
  config: TrainConfig,
  state: TrainingState,
  render: FloatImage,
  target: Image,
  horizon = config.steps,
): TrainingState {
  const { blobs, blend } = config;
  const deviation = newDeviation * deviationOf(blobs / (target.width * target.height));
  const least = Math.min(minWeight, 0.5 * newOpacity * 2 * Math.PI * deviation ** 2);
  const inactive: number[] = [];
  const weak: number[] = [];
  const model = modelOf(config, target);
  for (let i = 0; i < blobs; i++) {
    if (state.parameters[i] === inactiveCenter) inactive.push(i);
    else if (blobWeight(decode(state.parameters, i, model), target) < least) weak.push(i);
  }
  const active = blobs - inactive.length;
  const targetActive = Math.round(activeFraction(config, state.step, horizon) * blobs);
  const relocated = [...weak, ...inactive.slice(0, Math.max(0, targetActive - active))];
  if (relocated.length === 0) return state;
  const parameters = state.parameters.slice();
  const firstMoments = state.firstMoments.slice();
  const secondMoments = state.secondMoments.slice();
  const random = uniformGenerator(config.seed + state.step);
  let next = 0;
  const { density, sum } = errorDensity(render, target);
  for (const { x, y, pixel } of samplePoints(density, target, relocated.length, random, sum)) {
    const i = relocated[next++];
    let color = colorAt(target, pixel);
    if (blend === "sum")
      color = color.map((value, c) => 0.5 * (value - render.data[4 * pixel + c])) as DirectBlob["color"];
    writeBlob(parameters, i, { x, y, deviation, color, opacity: newOpacity });
    for (let field = 0; field < parameterCount; field++) {
      firstMoments[field * blobs + i] = 0;
      secondMoments[field * blobs + i] = 0;
    }
  }
  return { step: state.step, parameters, firstMoments, secondMoments };
}

/** Runs one round of density control on a pipeline. */
export async function densifyPipeline(
  pipeline: Pipeline,
  config: TrainConfig,
  target: Image,
  horizon: number,
): Promise<void> {
  const [state, render] = await Promise.all([pipeline.state(), pipeline.render(sizeOf(target))]);
  await pipeline.load(densify(config, state, render, target, horizon));
}

/** Returns how much a blob can change the image: its strength times its area in pixels, 0 outside the image. */
function blobWeight(blob: Blob, { width, height }: Image): number {
  const deviationX = width / blob.perDeviationX;
  const deviationY = height / blob.perDeviationY;
  if (!meetsImage(blob)) return 0;
  const area = (2 * Math.PI * deviationX * deviationY) / Math.sqrt(blob.stretch);
  const strength = blob.ceiling < 1 ? 1 : Math.max(...[blob.red, blob.green, blob.blue].map(Math.abs));
  return blob.opacity * strength * area;
}

/** Returns the blurred squared error of each pixel, and its sum. */
function errorDensity({ data }: FloatImage, target: Image): { density: Float64Array; sum: number } {
  const { width } = target;
  const density = blurred(target, (y, row) => {
    for (let x = 0, at = 4 * y * width; x < width; x++, at += 4) {
      const red = data[at] - fractionOfByte[target.data[at]];
      const green = data[at + 1] - fractionOfByte[target.data[at + 1]];
      const blue = data[at + 2] - fractionOfByte[target.data[at + 2]];
      row[x] = red * red + green * green + blue * blue;
    }
  });
  let sum = 0;
  for (let i = 0; i < density.length; i++) sum += density[i];
  return sum > 0 ? { density, sum } : { density: density.fill(1), sum: density.length };
}
