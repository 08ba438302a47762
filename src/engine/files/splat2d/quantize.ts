import { clamp } from "../../clamp.js";
import type { TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { type Blob, decode, modelOf } from "../../model/blob.js";
import { parameterCount, parameterGroups, rawNames } from "../../model/blobs.js";
import { meetsImage } from "../../model/support.js";
import { mustBe } from "../../quoted.js";
import { mortonCodes } from "./morton.js";
import type { QuantizationSteps } from "./precision.js";

/** What the head of a file contains. */
export interface Layout {
  config: TrainConfig;
  size: Size;
  steps: QuantizationSteps;
}

/** Raw parameters outside these ranges decode like the ends, up to invisible differences. */
const ranges = {
  smoothstep: {
    center: [0, 1],
    variance: [0, 1.25],
    correlation: [0, 1 / 0.6],
    color: [0, 1.25],
    opacity: [-1 / 9, 1],
  },
  direct: {
    center: [-1e9, 1e9],
    variance: [-5, 20],
    correlation: [-6, 6],
    color: [-1e9, 1e9],
    opacity: [-12, 12],
  },
} as const;

/** With more steps float32 could not represent each of them. */
const maxSteps = 2 ** 24;

/** Returns the grid of each raw parameter, in the order of the buffers. */
function grids({ config, size, steps }: Layout): { step: number; low: number; high: number }[] {
  const { parameterization } = config;
  const all = [];
  for (const [name, fields] of Object.entries(parameterGroups)) {
    const group = name as keyof QuantizationSteps;
    for (const field of fields) {
      // A smoothstep centre is a fraction of the image; a direct one is in pixels.
      const side = group === "center" && parameterization === "smoothstep" ? [size.width, size.height][field] : 1;
      const step = steps[group] / side;
      const [low, high] = ranges[parameterization][group];
      all[field] = {
        step,
        low: Math.max(Math.floor(low / step), -maxSteps),
        high: Math.min(Math.ceil(high / step), maxSteps),
      };
    }
  }
  return all;
}

/**
 * Rounds raw parameters to the grid, and drops invisible blobs. The blobs of a sum, where the order does not matter, are
 * sorted by Morton code.
 * @returns a column of integer numbers of steps for each raw parameter, in the order of the buffers
 * @throws Error of one sentence for a parameter that is not finite
 */
export function quantize(parameters: Float32Array, layout: Layout): Float64Array[] {
  const { config, size } = layout;
  const blobs = parameters.length / parameterCount;
  const invalid = parameters.findIndex((value) => !Number.isFinite(value));
  if (invalid >= 0) {
    const name = rawNames(config.parameterization)[Math.floor(invalid / blobs)];
    throw new Error(mustBe(`${name} of blob ${invalid % blobs}`, "finite in a .splat2d file", parameters[invalid]));
  }
  const columns = grids(layout).map(({ step, low, high }, field) => {
    const column = new Float64Array(parameters.subarray(field * blobs, (field + 1) * blobs));
    // + 0 makes a 0 of −0.
    return column.map((value) => clamp(Math.round(value / step), low, high) + 0);
  });
  if (!hasOpacity(layout)) columns[8].fill(0);
  // The rounded parameters decide what is visible, so writing a file again drops no further blobs.
  const rounded = dequantize(columns, layout);
  const model = modelOf(config, size);
  const visibleBlobs: number[] = [];
  for (let blob = 0; blob < blobs; blob++) {
    if (isVisible(decode(rounded, blob, model), config)) visibleBlobs.push(blob);
  }
  // A config has at least one blob.
  if (visibleBlobs.length === 0) visibleBlobs.push(0);
  const visible = columns.map((column) => Float64Array.from(visibleBlobs, (blob) => column[blob]));
  if (config.blend !== "sum") return visible;
  const { codes } = mortonCodes(visible);
  const order = Uint32Array.from(codes.keys()).sort((a, b) => codes[a] - codes[b]);
  return visible.map((column) => Float64Array.from(order, (i) => column[i]));
}

/** Returns whether blobs have an opacity; direct blobs of a sum have none. */
export function hasOpacity({ config }: Layout): boolean {
  return config.parameterization !== "direct" || config.blend !== "sum";
}

/** Returns the raw parameters, field-major, of columns in steps. */
export function dequantize(columns: readonly ArrayLike<number>[], layout: Layout): Float32Array {
  const blobs = columns[0].length;
  const parameters = new Float32Array(parameterCount * blobs);
  for (const [field, { step }] of grids(layout).entries()) {
    for (let blob = 0; blob < blobs; blob++) parameters[field * blobs + blob] = columns[field][blob] * step;
  }
  return parameters;
}

/** Returns whether a blob can change the image. */
function isVisible(blob: Blob, { blend }: TrainConfig): boolean {
  if (!meetsImage(blob) || blob.opacity === 0) return false;
  return blend === "over" || blob.red !== 0 || blob.green !== 0 || blob.blue !== 0;
}
