import { clamp } from "../clamp.js";
import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { decodeEach, highestCorrelation, lowestVariance, modelOf } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { deviations } from "../model/bounds.js";
import { inactiveCenter } from "../training/initialState.js";
import type { Rect } from "./plan.js";

/** A box in the image, in pixels; 0 is the middle of the first pixel. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the box of a rectangle of pixels, which extends half a pixel beyond the middle of the first and last ones. */
export function pixelBounds({ x, y, width, height }: Rect): Box {
  return { left: x - 0.5, top: y - 0.5, right: x + width - 0.5, bottom: y + height - 0.5 };
}

/** Returns the box of a rectangle, unbounded on the sides that it shares with the image. */
export function ownedBounds(rect: Rect, { width, height }: Size): Box {
  const { left, top, right, bottom } = pixelBounds(rect);
  return {
    left: rect.x === 0 ? Number.NEGATIVE_INFINITY : left,
    top: rect.y === 0 ? Number.NEGATIVE_INFINITY : top,
    right: rect.x + rect.width === width ? Number.POSITIVE_INFINITY : right,
    bottom: rect.y + rect.height === height ? Number.POSITIVE_INFINITY : bottom,
  };
}

/** Returns whether a box lies within another. */
export function isWithin(inner: Box, outer: Box): boolean {
  const { left, top, right, bottom } = outer;
  return inner.left >= left && inner.right <= right && inner.top >= top && inner.bottom <= bottom;
}

/** Yields the bounding box of each blob's support, its 4σ ellipse. */
export function* supports(config: TrainConfig, size: Size, parameters: Float32Array): Generator<Box> {
  for (const { centerX, centerY, perDeviationX, perDeviationY } of decodeEach(parameters, modelOf(config, size))) {
    const [x, y] = [centerX * size.width, centerY * size.height];
    const reachX = (deviations / perDeviationX) * size.width;
    const reachY = (deviations / perDeviationY) * size.height;
    yield { left: x - reachX, top: y - reachY, right: x + reachX, bottom: y + reachY };
  }
}

/** Half the extent of the thinnest blob, in pixels. */
const minReach = deviations * Math.sqrt(lowestVariance + 1e-8);

/**
 * Confines the supports of direct blobs to a box, in place: moves centres into it, and makes blobs narrower that extend
 * beyond it. Inactive blobs stay as they are.
 * @param size of the image
 * @param isFree whether to confine each blob; all if absent
 */
export function confineBlobs(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  box: Box,
  isFree?: readonly boolean[],
): void {
  const blobs = parameters.length / parameterCount;
  const axisBounds = [
    [box.left, box.right],
    [box.top, box.bottom],
  ];
  let i = 0;
  for (const support of supports(config, size, parameters)) {
    if (!isWithin(support, box) && isFree?.[i] !== false && parameters[i] !== inactiveCenter) {
      for (const [axis, [low, high]] of axisBounds.entries()) {
        const at = axis * blobs + i;
        parameters[at] = Math.max(low + minReach, Math.min(high - minReach, parameters[at]));
        const maxDeviation = Math.max(0, Math.min(parameters[at] - low, high - parameters[at])) / deviations;
        const deviation = (2 + axis) * blobs + i;
        parameters[deviation] = Math.min(parameters[deviation], logDeviation(maxDeviation));
      }
    }
    i++;
  }
}

/** Returns some blobs of a field-major buffer, in the order of their indices in `selected`. */
export function selectBlobs(parameters: Float32Array, selected: ArrayLike<number>): Float32Array {
  const blobs = parameters.length / parameterCount;
  const picked = new Float32Array(parameterCount * selected.length);
  for (let field = 0; field < parameterCount; field++) {
    for (let i = 0; i < selected.length; i++)
      picked[field * selected.length + i] = parameters[field * blobs + selected[i]];
  }
  return picked;
}

/** Returns the concatenation of groups of blobs. */
export function joinBlobs(groups: readonly Float32Array[]): Float32Array {
  const blobs = groups.reduce((sum, group) => sum + group.length, 0) / parameterCount;
  const joined = new Float32Array(parameterCount * blobs);
  let first = 0;
  for (const group of groups) {
    const groupBlobs = group.length / parameterCount;
    for (let field = 0; field < parameterCount; field++) {
      joined.set(group.subarray(field * groupBlobs, (field + 1) * groupBlobs), field * blobs + first);
    }
    first += groupBlobs;
  }
  return joined;
}

/** Returns direct blobs relative to another origin, at (x, y). */
export function translated(parameters: Float32Array, x: number, y: number): Float32Array {
  const blobs = parameters.length / parameterCount;
  return parameters.map((value, slot) => (slot < blobs ? value - x : slot < 2 * blobs ? value - y : value));
}

/** Groups of blobs, such as those of each region, in which blobs are found by a box. */
export class BlobIndex {
  readonly groups: Float32Array[] = [];
  /** Left, top, right and bottom of each support, in far less memory than objects need. */
  readonly #supports: Float64Array[] = [];

  constructor(
    readonly config: TrainConfig,
    /** Size of the whole image. */
    readonly size: Size,
    groups: readonly Float32Array[] = [],
  ) {
    for (const group of groups) this.set(this.groups.length, group);
  }

  /** Adds or replaces a group. */
  set(group: number, parameters: Float32Array): void {
    const edges = new Float64Array((4 * parameters.length) / parameterCount);
    let at = 0;
    for (const { left, top, right, bottom } of supports(this.config, this.size, parameters)) {
      edges.set([left, top, right, bottom], at);
      at += 4;
    }
    this.groups[group] = parameters;
    this.#supports[group] = edges;
  }

  /** Returns for each group the indices of the blobs with a support that meets a box. */
  indicesIn({ left, top, right, bottom }: Box): number[][] {
    return this.#supports.map((edges) => {
      const found: number[] = [];
      for (let at = 0; at < edges.length; at += 4) {
        const isMeeting =
          edges[at] <= right && left <= edges[at + 2] && edges[at + 1] <= bottom && top <= edges[at + 3];
        if (isMeeting) found.push(at / 4);
      }
      return found;
    });
  }

  /** Returns the blobs with some indices, group by group. */
  select(indices: readonly number[][]): Float32Array {
    return joinBlobs(indices.map((selected, group) => selectBlobs(this.groups[group], selected)));
  }

  /** Returns copies of the groups in which selected blobs change, by group. */
  replaced(indices: readonly number[][], parameters: Float32Array): Map<number, Float32Array> {
    const blobs = parameters.length / parameterCount;
    const changed = new Map<number, Float32Array>();
    let first = 0;
    for (const [group, selected] of indices.entries()) {
      if (selected.length === 0) continue;
      const copy = this.groups[group].slice();
      for (let field = 0; field < parameterCount; field++) {
        for (const [i, index] of selected.entries()) {
          copy[(field * copy.length) / parameterCount + index] = parameters[field * blobs + first + i];
        }
      }
      changed.set(group, copy);
      first += selected.length;
    }
    return changed;
  }
}

/** Returns for each direct blob whether its centre is in a box, without its right and lower sides. */
export function centersIn(parameters: Float32Array, { left, top, right, bottom }: Box): boolean[] {
  const blobs = parameters.length / parameterCount;
  return Array.from({ length: blobs }, (_, i) => {
    const [x, y] = [parameters[i], parameters[blobs + i]];
    return x >= left && x < right && y >= top && y < bottom;
  });
}

/** Returns the smallest scale of an image at which the blobs of a config can be converted to direct ones. */
export function minScale({ parameterization, covarianceScale }: TrainConfig, { width, height }: Size): number {
  if (parameterization === "direct") return 1;
  const thinnest = Math.sqrt(0.005 * covarianceScale) * Math.min(width, height);
  return Math.max(1, Math.sqrt(lowestVariance) / thinnest);
}

/**
 * Returns blobs of any parameterization as direct ones, of an image with its origin at (x, y).
 * @param scale factor by which the image is larger, at least `minScale`
 */
export function toDirect(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  { x, y }: { x: number; y: number },
  scale: number,
): Float32Array {
  const blobs = parameters.length / parameterCount;
  const direct = new Float32Array(parameters.length);
  let i = 0;
  for (const blob of decodeEach(parameters, modelOf(config, size))) {
    const { opacity } = blob;
    // Direct blobs have no opacity in a sum.
    const brightness = config.blend === "sum" ? opacity : 1;
    const values = [
      (blob.centerX * size.width - x) * scale,
      (blob.centerY * size.height - y) * scale,
      logDeviation((size.width * scale) / blob.perDeviationX),
      logDeviation((size.height * scale) / blob.perDeviationY),
      Math.atanh(blob.correlation / highestCorrelation),
      brightness * blob.red,
      brightness * blob.green,
      brightness * blob.blue,
      // The logit of 0 and 1 is infinite.
      clamp(Math.log(opacity / (1 - opacity)), -40, 40),
    ];
    for (const [field, value] of values.entries()) direct[field * blobs + i] = value;
    i++;
  }
  return direct;
}

/** Returns the raw parameter of a deviation in pixels. */
function logDeviation(deviation: number): number {
  return 0.5 * Math.log(Math.max(deviation ** 2 - lowestVariance, 1e-8));
}
