import type { TrainConfig } from "./config.js";
import type { FloatImage, Image } from "./image/image.js";
import { type ParameterGroup, parameterCount, parameterGroups, rawNames, stateOf } from "./model/blobs.js";
import type { Backend, Pipeline } from "./pipeline.js";
import { uniformGenerator } from "./random.js";
import { estimateOneSidedSlopes, nearestSlope, type OneSidedSlopes } from "./slopes.js";

/** One parameter of one blob: what the backward pass says of it, and what differences of the forward pass say. */
interface CheckedParameter {
  name: string;
  blob: number;
  backward: number;
  difference: number;
  /** What the rounding of the pictures to float32 can add to the difference. */
  rounding: number;
  /** The slopes from either side, where the difference is one of them since there is a kink within its reach. */
  kink?: OneSidedSlopes;
}

/** A parameter group of the scene. */
interface CheckedGroup {
  group: ParameterGroup;
  /** The largest disagreement of its parameters, as a share of the group's largest gradient. */
  disagreement: number;
  /** Where that is. */
  worst: CheckedParameter;
  agrees: boolean;
}

/** Whether forward and backward belong together. */
export interface GradientCheck {
  groups: CheckedGroup[];
  agrees: boolean;
}

/**
 * Disagreement that float32 and the differences' own error account for: a rounding of the picture, divided by twice the
 * step, and the third derivative that central differences leave.
 */
export const gradientTolerance = 0.005;

/** Disagreement that is allowed beyond rounding as a share of each gradient itself, so that a weak one has its sign. */
export const weakTolerance = 0.02;

const blobs = 3;
/** Several tiles, also where the pipeline joins small ones. */
const size = { width: 24, height: 16 };
/** Half the distance of a central difference, in units in which a blob changes as a whole. */
const step = 1 / 128;
/** Standard deviation of the blobs, as a share of the picture's width. */
const deviation = 0.4;

/**
 * Holds a pipeline's backward pass against central differences of its forward pass, on a scene of three blobs that
 * cover the whole picture: there the loss is smooth, since no pixel is at a support's edge or near the 1/255 stop. Where a
 * kernel has a kink of its own, its side that has a slope is compared. The loss is the squared error of the rendered picture, summed in float64.
 * @param config whose model, tiles and pipeline are taken
 * @param progress told the share that is done
 * @returns undefined if the signal aborted it
 */
export async function checkGradients(
  backend: Backend,
  config: TrainConfig,
  { signal, progress }: { signal?: AbortSignal; progress?: (fraction: number) => void } = {},
): Promise<GradientCheck | undefined> {
  const job: TrainConfig = { ...config, blobs, covarianceScale: deviation ** 2 / 0.36, growEvery: 0 };
  const target = targetImage();
  const parameters = sceneParameters(job);
  const pipeline = await backend.open(job, target, stateOf(parameters));
  try {
    const backward = await pipeline.computeGradients();
    const checked: CheckedParameter[] = [];
    for (let slot = 0; slot < parameters.length; slot++) {
      if (signal?.aborted) return undefined;
      const name = rawNames(job.parameterization)[Math.floor(slot / blobs)];
      const checkedGradient = { name, blob: slot % blobs, backward: backward[slot] };
      checked.push(
        await checkParameter(pipeline, target, parameters, slot, differenceStep(job, slot), checkedGradient),
      );
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
    // What is no number agrees with nothing; a group without any effect agrees with gradients of zero.
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

/** Whether a gradient agrees with its difference to a share of the larger of the two, beyond rounding. */
function agreesWithin(fraction: number, { backward, difference, rounding }: CheckedParameter): boolean {
  const larger = Math.max(Math.abs(backward), Math.abs(difference));
  return Math.abs(backward - difference) <= fraction * larger + rounding;
}

/** Compares one gradient with the central difference; if that disagrees, with the difference of a side that has a slope. */
async function checkParameter(
  pipeline: Pipeline,
  target: Image,
  at: Float32Array,
  slot: number,
  distance: number,
  checkedGradient: Pick<CheckedParameter, "name" | "blob" | "backward">,
): Promise<CheckedParameter> {
  const lossAt = async (offset: number) => {
    const moved = at.slice();
    moved[slot] += offset;
    await pipeline.load(stateOf(moved));
    return { value: moved[slot], loss: lossOf(await pipeline.render(size), target) };
  };
  const before = await lossAt(-distance);
  const after = await lossAt(distance);
  // Each channel of the picture is rounded by up to 2^-24, and the loss by that times twice the channel's error.
  const rounding = (2 ** -23 * Math.sqrt(3 * Math.max(before.loss, after.loss))) / distance;
  const difference = (after.loss - before.loss) / (after.value - before.value);
  const central = { ...checkedGradient, difference, rounding };
  if (agreesWithin(gradientTolerance, central)) return central;
  const centerLoss = await lossAt(0);
  const rises = new Map<number, [rise: number, offset: number]>();
  for (const offset of [-2, -1, -0.5, 0.5, 1, 2].map((times) => times * distance)) {
    const { value, loss } = await lossAt(offset);
    rises.set(offset, [loss - centerLoss.loss, value - centerLoss.value]);
  }
  const kink = estimateOneSidedSlopes((offset) => rises.get(offset)!, distance, rounding / gradientTolerance);
  const oneSided = { ...central, difference: nearestSlope(kink, checkedGradient.backward) ?? difference, kink };
  return agreesWithin(gradientTolerance, oneSided) ? oneSided : central;
}

function lossOf({ data }: FloatImage, target: Image): number {
  let sum = 0;
  for (let pixel = 0; pixel < size.width * size.height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      sum += (data[4 * pixel + channel] - target.data[4 * pixel + channel] / 255) ** 2;
    }
  }
  return sum / (size.width * size.height);
}

/** Centres of direct blobs are in pixels; all else changes a blob as a whole within about one unit. */
function differenceStep({ parameterization }: TrainConfig, slot: number): number {
  const isCenter = slot < 2 * blobs;
  return parameterization === "direct" && isCenter ? step * deviation * size.width : step;
}

/** Three blobs around the middle, each different. */
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

/** Colours that no blob of the scene has everywhere. */
function targetImage(): Image {
  const { width, height } = size;
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
