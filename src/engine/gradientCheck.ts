import type { TrainConfig } from "./config.js";
import type { FloatImage, Image, Size } from "./image/image.js";
import { type ParameterGroup, parameterCount, parameterGroups, rawNames, stateOf } from "./model/blobs.js";
import type { Backend } from "./pipeline.js";
import { uniformGenerator } from "./random.js";
import { estimateOneSidedSlopes, nearestSlope, type OneSidedSlopes } from "./slopes.js";

/** One raw parameter of one blob: its gradient by the backward pass and by differences of the forward pass. */
interface CheckedParameter {
  name: string;
  blob: number;
  backward: number;
  difference: number;
  /** The largest effect on the difference of rounding to float32 and of kinks of a measured loss. */
  rounding: number;
  /** The slopes on either side of a kink, if the difference is one of them. */
  kink?: OneSidedSlopes;
}

/** A parameter group of the scene. */
interface CheckedGroup {
  group: ParameterGroup;
  /** The largest disagreement of its parameters, as a fraction of the group's largest gradient. */
  disagreement: number;
  /** The parameter with the largest disagreement. */
  worst: CheckedParameter;
  agrees: boolean;
}

/** The result of a gradient check. */
export interface GradientCheck {
  groups: CheckedGroup[];
  agrees: boolean;
}

/**
 * Disagreement that is explained by the rounding of the render to float32, divided by twice the step, and by the third
 * derivative that central differences leave out.
 */
export const gradientTolerance = 0.005;

/** Allowed disagreement beyond rounding as a fraction of each gradient, so that the sign of a weak one is checked. */
export const weakTolerance = 0.02;

const blobs = 3;
/** Several tiles, even if the pipeline joins small ones. */
const size = { width: 24, height: 16 };
/** Half the distance of a central difference; a blob changes completely over a distance of about 1. */
const step = 1 / 128;
/** Standard deviation of the blobs, as a fraction of the image width. */
const deviation = 0.4;

/**
 * Returns a scene of three blobs that cover an image of 24 × 16 pixels, with their raw parameters, field-major. The loss
 * has no kink near them.
 * @param config supplies the model, tiles and pipeline
 */
export function smoothScene(config: TrainConfig): { config: TrainConfig; image: Image; parameters: Float32Array } {
  const job: TrainConfig = { ...config, blobs, covarianceScale: deviation ** 2 / 0.36, growEvery: 0 };
  return { config: job, image: colorfulTarget(size), parameters: sceneParameters(job) };
}

interface CheckOptions {
  signal?: AbortSignal;
  progress?: (fraction: number) => void;
  measured?: boolean;
}

/** Resolves with the loss at parameters, and by how much rounding may change it. */
type LossOf = (parameters: Float32Array) => Promise<{ loss: number; rounding: number }>;

/**
 * Compares a pipeline's backward pass with central differences of its forward pass, on a scene of three blobs that
 * cover the image. There the loss is smooth, because no pixel is at the edge of a support or near the stop at 1/255.
 * At a kink of the kernel, the side that has a slope is compared. The loss is the squared error of the render, in
 * float64, or another loss that the pipeline measures.
 * @param config supplies the model, tiles and pipeline
 * @param progress called with the fraction that is done
 * @param measured whether to take the loss of the pipeline's statistics
 * @returns undefined if the signal aborted the check
 */
export async function checkGradients(
  backend: Backend,
  config: TrainConfig,
  { signal, progress, measured = false }: CheckOptions = {},
): Promise<GradientCheck | undefined> {
  const { config: job, image: target, parameters } = smoothScene(config);
  const pipeline = await backend.open(job, target, stateOf(parameters));
  const lossOf: LossOf = async (parameters) => {
    await pipeline.load(stateOf(parameters));
    if (!measured) return trainingLoss(await pipeline.render(size), target);
    await pipeline.computeGradients();
    const { loss } = await pipeline.statistics();
    return { loss, rounding: Math.abs(loss) * 2 ** -22 };
  };
  try {
    const backward = await pipeline.computeGradients();
    const checked: CheckedParameter[] = [];
    for (let slot = 0; slot < parameters.length; slot++) {
      if (signal?.aborted) return undefined;
      const name = rawNames(job.parameterization)[Math.floor(slot / blobs)];
      const checkedGradient = { name, blob: slot % blobs, backward: backward[slot] };
      const check = (distance: number) => checkParameter(lossOf, parameters, slot, distance, checkedGradient);
      const distance = differenceStep(job, slot) * (measured ? 1 / 4 : 1);
      const found = await check(distance);
      if (measured && !agreesWithin(gradientTolerance, found)) {
        // Such a loss may have a kink where a channel equals the target. Kinks within the distance change the difference
        // about as much as half of the distance does.
        found.rounding += 2 * Math.abs(found.difference - (await check(distance / 2)).difference);
      }
      checked.push(found);
      progress?.((slot + 1) / parameters.length);
    }
    const groups = Object.entries(parameterGroups).map(([group, fields]) => {
      const members = checked.filter((_, slot) => (fields as readonly number[]).includes(Math.floor(slot / blobs)));
      return compare(group as ParameterGroup, members);
    });
    return { groups, agrees: groups.every(({ agrees }) => agrees) };
  } finally {
    await pipeline.free();
  }
}

function compare(group: ParameterGroup, parameters: CheckedParameter[]): CheckedGroup {
  const largest = Math.max(...parameters.flatMap(({ backward, difference }) => [backward, difference].map(Math.abs)));
  const relativeError = ({ backward, difference }: CheckedParameter) => {
    const fraction = Math.abs(backward - difference) / largest;
    // NaN agrees with nothing; a group without any effect agrees with gradients of zero.
    return largest === 0 ? 0 : Number.isNaN(fraction) ? Number.POSITIVE_INFINITY : fraction;
  };
  const isDisagreeing = (parameter: CheckedParameter) =>
    relativeError(parameter) > gradientTolerance || !agreesWithin(weakTolerance, parameter);
  const disagreeing = parameters.filter(isDisagreeing);
  const worst = (disagreeing.length > 0 ? disagreeing : parameters).reduce((a, b) =>
    relativeError(b) > relativeError(a) ? b : a,
  );
  return { group, disagreement: relativeError(worst), worst, agrees: disagreeing.length === 0 };
}

/** Returns whether a gradient agrees with its difference within a fraction of the larger of the two, plus rounding. */
function agreesWithin(fraction: number, { backward, difference, rounding }: CheckedParameter): boolean {
  const larger = Math.max(Math.abs(backward), Math.abs(difference));
  return Math.abs(backward - difference) <= fraction * larger + rounding;
}

/** Compares one gradient with the central difference, and if they disagree with the one-sided slopes. */
async function checkParameter(
  lossOf: LossOf,
  at: Float32Array,
  slot: number,
  distance: number,
  checkedGradient: Pick<CheckedParameter, "name" | "blob" | "backward">,
): Promise<CheckedParameter> {
  const lossAt = async (offset: number) => {
    const moved = at.slice();
    moved[slot] += offset;
    return { value: moved[slot], ...(await lossOf(moved)) };
  };
  const before = await lossAt(-distance);
  const after = await lossAt(distance);
  const rounding = Math.max(before.rounding, after.rounding) / distance;
  const difference = (after.loss - before.loss) / (after.value - before.value);
  const central = { ...checkedGradient, difference, rounding };
  if (agreesWithin(gradientTolerance, central)) return central;
  const center = await lossAt(0);
  const riseAt = async (offset: number): Promise<[rise: number, offset: number]> => {
    const { value, loss } = await lossAt(offset);
    return [loss - center.loss, value - center.value];
  };
  const kink = await estimateOneSidedSlopes(riseAt, distance, rounding / gradientTolerance);
  const oneSided = { ...central, difference: nearestSlope(kink, checkedGradient.backward) ?? difference, kink };
  return agreesWithin(gradientTolerance, oneSided) ? oneSided : central;
}

/** Returns the loss of a render that is not clamped to 0..1, as in training. */
function trainingLoss({ data }: FloatImage, target: Image): Awaited<ReturnType<LossOf>> {
  let sum = 0;
  for (let pixel = 0; pixel < size.width * size.height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      sum += (data[4 * pixel + channel] - target.data[4 * pixel + channel] / 255) ** 2;
    }
  }
  const loss = sum / (size.width * size.height);
  // Each channel of the render is rounded by up to 2^-24, and the loss by that times twice the channel's error.
  return { loss, rounding: 2 ** -23 * Math.sqrt(3 * loss) };
}

/** Centres of direct blobs are in pixels; every other parameter changes a blob completely within about one unit. */
function differenceStep({ parameterization }: TrainConfig, slot: number): number {
  const isCenter = slot < 2 * blobs;
  return parameterization === "direct" && isCenter ? step * deviation * size.width : step;
}

/** Returns the raw parameters of three different blobs around the middle. */
function sceneParameters({ parameterization }: TrainConfig): Float32Array {
  const random = uniformGenerator(1);
  const between = (low: number, high: number) => low + (high - low) * random();
  const deviationPixels = deviation * size.width;
  const parameters = new Float32Array(parameterCount * blobs);
  for (let blob = 0; blob < blobs; blob++) {
    const values =
      parameterization === "direct"
        ? [
            between(0.35, 0.65) * size.width,
            between(0.35, 0.65) * size.height,
            Math.log(deviationPixels * between(0.9, 1.1)),
            Math.log(deviationPixels * between(0.9, 1.1)),
            between(0.1, 0.3) * (blob % 2 ? 1 : -1),
            ...[between(0.2, 0.8), between(0.2, 0.8), between(0.2, 0.8)],
            between(-1, 0),
          ]
        : [
            between(0.35, 0.65),
            between(0.35, 0.65),
            between(0.5, 0.6),
            between(0.5, 0.6),
            between(0.6, 0.75) + (blob % 2 ? 0.2 : 0),
            ...[between(0.3, 0.8), between(0.3, 0.8), between(0.3, 0.8)],
            between(0.25, 0.45),
          ];
    for (const [field, value] of values.entries()) parameters[field * blobs + blob] = value;
  }
  return parameters;
}

/** Returns a target of a size in pixels, with colours that no blob can match everywhere. */
export function colorfulTarget({ width, height }: Size): Image {
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x);
      data[at] = (255 * x) / width;
      data[at + 1] = (255 * y) / height;
      data[at + 2] = 255 * (0.5 + 0.5 * Math.sin((6 * x) / width + (4 * y) / height));
    }
  }
  return { width, height, data };
}
