import type { TrainConfig } from "./config.js";
import { type ParameterGroup, parameterCount, parameterGroups, rawNames, stateOf } from "./model/blobs.js";
import type { Image, Picture } from "./picture/image.js";
import type { Backend, Pipeline } from "./pipeline.js";
import { uniformGenerator } from "./random.js";

/** One parameter of one blob: what the backward pass says of it, and what differences of the forward pass say. */
interface CheckedParameter {
  name: string;
  blob: number;
  backward: number;
  difference: number;
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

const blobs = 3;
/** Several tiles, also where the pipeline joins small ones. */
const size = { width: 24, height: 16 };
/** Half the distance of a central difference, in units in which a blob changes as a whole. */
const step = 1 / 128;
/** Standard deviation of the blobs, as a share of the picture's width. */
const deviation = 0.4;

/**
 * Holds a pipeline's backward pass against central differences of its forward pass, on a scene of three blobs that
 * cover the whole picture: there the loss is smooth, since no pixel is at a support's edge or near the 1/255 stop. The
 * loss is the squared error of the rendered picture, summed in float64.
 * @param config whose model, tiles and pipeline are taken
 * @param progress told the share that is done
 * @returns undefined if the signal aborted it
 */
export async function checkGradients(
  backend: Backend,
  config: TrainConfig,
  { signal, progress }: { signal?: AbortSignal; progress?: (share: number) => void } = {},
): Promise<GradientCheck | undefined> {
  const job: TrainConfig = { ...config, blobs, covarianceScale: deviation ** 2 / 0.36, growEvery: 0 };
  const target = picture();
  const parameters = sceneOf(job);
  const pipeline = await backend.open(job, target, stateOf(parameters));
  try {
    const backward = await pipeline.computeGradients();
    const checked: CheckedParameter[] = [];
    for (let slot = 0; slot < parameters.length; slot++) {
      if (signal?.aborted) return undefined;
      const difference = await differenceAt(pipeline, target, parameters, slot, stepOf(job, slot));
      const name = rawNames(job.parameterization)[Math.floor(slot / blobs)];
      checked.push({ name, blob: slot % blobs, backward: backward[slot], difference });
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
  const apart = ({ backward, difference }: CheckedParameter) => {
    const share = Math.abs(backward - difference) / largest;
    // What is no number agrees with nothing; a group without any effect agrees with gradients of zero.
    return largest === 0 ? 0 : Number.isNaN(share) ? Number.POSITIVE_INFINITY : share;
  };
  const worst = parameters.reduce((a, b) => (apart(b) > apart(a) ? b : a));
  const disagreement = apart(worst);
  return { group, disagreement, worst, agrees: disagreement <= gradientTolerance };
}

async function differenceAt(pipeline: Pipeline, target: Image, at: Float32Array, slot: number, distance: number) {
  const lossAt = async (value: number) => {
    const moved = at.slice();
    moved[slot] = value;
    await pipeline.load(stateOf(moved));
    return { value: moved[slot], loss: lossOf(await pipeline.render(size), target) };
  };
  const before = await lossAt(at[slot] - distance);
  const after = await lossAt(at[slot] + distance);
  return (after.loss - before.loss) / (after.value - before.value);
}

function lossOf({ data }: Picture, target: Image): number {
  let sum = 0;
  for (let pixel = 0; pixel < size.width * size.height; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      sum += (data[4 * pixel + channel] - target.data[4 * pixel + channel] / 255) ** 2;
    }
  }
  return sum / (size.width * size.height);
}

/** Centres of direct blobs are in pixels; all else changes a blob as a whole within about one unit. */
function stepOf({ parameterization }: TrainConfig, slot: number): number {
  const isCenter = slot < 2 * blobs;
  return parameterization === "direct" && isCenter ? step * deviation * size.width : step;
}

/** Three blobs around the middle, each different. */
function sceneOf({ parameterization }: TrainConfig): Float32Array {
  const random = uniformGenerator(1);
  const between = (low: number, high: number) => low + (high - low) * random();
  const wide = deviation * size.width;
  const parameters = new Float32Array(parameterCount * blobs);
  for (let blob = 0; blob < blobs; blob++) {
    const values =
      parameterization === "direct"
        ? [
            between(0.35, 0.65) * size.width,
            between(0.35, 0.65) * size.height,
            Math.log(wide * between(0.9, 1.1)),
            Math.log(wide * between(0.9, 1.1)),
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
function picture(): Image {
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
