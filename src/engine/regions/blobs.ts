import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { decodeEach, lowestVariance, modelOf } from "../model/blob.js";
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

/** Returns the blobs of some groups, one group after the other: those with the given indices, or all. */
export function joinBlobs(
  groups: readonly Float32Array[],
  indices: readonly ArrayLike<number>[] = groups.map(({ length }) =>
    new Uint32Array(length / parameterCount).map((_, i) => i),
  ),
): Float32Array {
  const joined = new Float32Array(parameterCount * indices.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (let field = 0; field < parameterCount; field++) {
    for (const [group, selected] of indices.entries()) {
      const first = (field * groups[group].length) / parameterCount;
      for (let i = 0; i < selected.length; i++) joined[at++] = groups[group][first + selected[i]];
    }
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

  /** Returns copies of the groups in which the blobs with some indices change, by group. */
  replaced(indices: readonly number[][], parameters: Float32Array): Map<number, Float32Array> {
    const copies = new Map<number, Float32Array>();
    for (const [group, { length }] of indices.entries()) if (length > 0) copies.set(group, this.groups[group].slice());
    let at = 0;
    for (let field = 0; field < parameterCount; field++) {
      for (const [group, copy] of copies) {
        for (const i of indices[group]) copy[(field * copy.length) / parameterCount + i] = parameters[at++];
      }
    }
    return copies;
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

/** Returns the raw parameter of a deviation in pixels. */
export function logDeviation(deviation: number): number {
  return 0.5 * Math.log(Math.max(deviation ** 2 - lowestVariance, 1e-8));
}
