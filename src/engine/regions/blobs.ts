import { clamp } from "../clamp.js";
import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { type Blob, decode, decodeEach, highestCorrelation, lowestVariance, modelOf } from "../model/blob.js";
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

/** Returns whether two boxes intersect. */
export function boxesIntersect(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
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
 * @param selected whether to confine a blob; all if absent
 */
export function confineBlobs(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  box: Box,
  selected: (i: number) => boolean = () => true,
): void {
  const blobs = parameters.length / parameterCount;
  const axisBounds = [
    [box.left, box.right],
    [box.top, box.bottom],
  ];
  let i = 0;
  for (const support of supports(config, size, parameters)) {
    if (!isWithin(support, box) && selected(i) && parameters[i] !== inactiveCenter) {
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
  const result = parameters.slice();
  for (let i = 0; i < blobs; i++) {
    result[i] -= x;
    result[blobs + i] -= y;
  }
  return result;
}

/** Blobs that are loaded by box. */
export interface BlobIndex {
  config: TrainConfig;
  /** Size of the whole image. */
  size: Size;
  /** Resolves with all blobs with a support that meets a box, in order, field-major. */
  intersecting(box: Box): Promise<Float32Array>;
}

/** Blobs in memory, with the boxes of their supports, which are computed once. */
export class IndexedBlobs implements BlobIndex {
  /** Left, top, right and bottom of each support, in far less memory than objects need. */
  #cachedSupports: Float64Array | undefined;

  constructor(
    readonly config: TrainConfig,
    readonly size: Size,
    readonly parameters: Float32Array,
  ) {}

  get #supports(): Float64Array {
    if (this.#cachedSupports) return this.#cachedSupports;
    this.#cachedSupports = new Float64Array((4 * this.parameters.length) / parameterCount);
    let at = 0;
    for (const { left, top, right, bottom } of supports(this.config, this.size, this.parameters)) {
      this.#cachedSupports[at++] = left;
      this.#cachedSupports[at++] = top;
      this.#cachedSupports[at++] = right;
      this.#cachedSupports[at++] = bottom;
    }
    return this.#cachedSupports;
  }

  /** Number of blobs. */
  get count(): number {
    return this.parameters.length / parameterCount;
  }

  /** The bounding box of all supports; without blobs it is empty. */
  get reach(): Box {
    const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let i = 0; i < this.count; i++) {
      const { left, top, right, bottom } = this.#support(i);
      all.left = Math.min(all.left, left);
      all.top = Math.min(all.top, top);
      all.right = Math.max(all.right, right);
      all.bottom = Math.max(all.bottom, bottom);
    }
    return all;
  }

  /** Returns the indices of the blobs with a support that meets a box. */
  indicesIntersecting(box: Box): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.count; i++) if (boxesIntersect(this.#support(i), box)) found.push(i);
    return found;
  }

  #support(i: number): Box {
    const all = this.#supports;
    return { left: all[4 * i], top: all[4 * i + 1], right: all[4 * i + 2], bottom: all[4 * i + 3] };
  }

  async intersecting(box: Box): Promise<Float32Array> {
    return selectBlobs(this.parameters, this.indicesIntersecting(box));
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
  if (config.parameterization === "direct") return scaleBlobs(translated(parameters, x, y), scale);
  const model = modelOf(config, size);
  const blobs = parameters.length / parameterCount;
  const direct = new Float32Array(parameters.length);
  for (let i = 0; i < blobs; i++) {
    const blob = decode(parameters, i, model);
    const values = [
      (blob.centerX * size.width - x) * scale,
      (blob.centerY * size.height - y) * scale,
      logDeviation((size.width * scale) / blob.perDeviationX),
      logDeviation((size.height * scale) / blob.perDeviationY),
      Math.atanh(blob.correlation / highestCorrelation),
      ...colorOf(blob, config),
      logit(blob.opacity),
    ];
    for (const [field, value] of values.entries()) direct[field * blobs + i] = value;
  }
  return direct;
}

/** Scales direct blobs in place: their centres and deviations, which are in pixels. */
function scaleBlobs(parameters: Float32Array, scale: number): Float32Array {
  if (scale === 1) return parameters;
  const blobs = parameters.length / parameterCount;
  for (let i = 0; i < 2 * blobs; i++) parameters[i] *= scale;
  for (let i = 2 * blobs; i < 4 * blobs; i++) {
    parameters[i] = logDeviation(scale * Math.sqrt(Math.exp(2 * parameters[i]) + lowestVariance));
  }
  return parameters;
}

/** Returns the raw parameter of a deviation in pixels. */
function logDeviation(deviation: number): number {
  return 0.5 * Math.log(Math.max(deviation ** 2 - lowestVariance, 1e-8));
}

/** Returns the colour of a direct blob, times the opacity in a sum, where direct blobs have none. */
function colorOf({ red, green, blue, opacity }: Blob, { blend }: TrainConfig): number[] {
  return blend === "sum" ? [opacity * red, opacity * green, opacity * blue] : [red, green, blue];
}

/** Returns the logit, bounded since that of 0 and 1 is infinite. */
function logit(opacity: number): number {
  return clamp(Math.log(opacity / (1 - opacity)), -40, 40);
}
