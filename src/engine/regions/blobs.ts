import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { type Blob, decode, decodeEach, highestCorrelation, lowestVariance, modelOf } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { deviations } from "../model/bounds.js";
import { inactiveCenter } from "../training/initialState.js";
import type { Rect } from "./plan.js";

/** A box of the picture, by the places that it reaches to, in pixels: 0 is the middle of the first one. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The places that belong to a rectangle's pixels: half a pixel lies before the middle of the first one. */
export function pixelBounds({ x, y, width, height }: Rect): Box {
  return { left: x - 0.5, top: y - 0.5, right: x + width - 0.5, bottom: y + height - 0.5 };
}

/** The same, and all that lies beyond those of its sides that are the picture's: nothing else does. */
export function ownedBounds(rect: Rect, { width, height }: Size): Box {
  const { left, top, right, bottom } = pixelBounds(rect);
  return {
    left: rect.x === 0 ? Number.NEGATIVE_INFINITY : left,
    top: rect.y === 0 ? Number.NEGATIVE_INFINITY : top,
    right: rect.x + rect.width === width ? Number.POSITIVE_INFINITY : right,
    bottom: rect.y + rect.height === height ? Number.POSITIVE_INFINITY : bottom,
  };
}

/** Whether two boxes have a place in common. */
export function boxesIntersect(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** Whether a box lies within another. */
export function isWithin(inner: Box, outer: Box): boolean {
  const { left, top, right, bottom } = outer;
  return inner.left >= left && inner.right <= right && inner.top >= top && inner.bottom <= bottom;
}

/** The box around each blob's support, its 4σ ellipse. */
export function* supports(config: TrainConfig, size: Size, parameters: Float32Array): Generator<Box> {
  for (const { centerX, centerY, perDeviationX, perDeviationY } of decodeEach(parameters, modelOf(config, size))) {
    const [x, y] = [centerX * size.width, centerY * size.height];
    const reachX = (deviations / perDeviationX) * size.width;
    const reachY = (deviations / perDeviationY) * size.height;
    yield { left: x - reachX, top: y - reachY, right: x + reachX, bottom: y + reachY };
  }
}

/** How far the thinnest blob reaches, in pixels. */
const minReach = deviations * Math.sqrt(lowestVariance + 1e-8);

/**
 * Makes direct blobs narrower whose support reaches out of a box, and puts those back into it whose centre is not in it, so
 * that none reaches out of it. Blobs that wait stay where they are.
 * @param size of the picture whose places the parameters tell
 * @param selected of the blobs; all if absent
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

/** Some of the blobs of a field-major buffer, in the order in which they are named. */
export function selectBlobs(parameters: Float32Array, selected: ArrayLike<number>): Float32Array {
  const blobs = parameters.length / parameterCount;
  const picked = new Float32Array(parameterCount * selected.length);
  for (let field = 0; field < parameterCount; field++) {
    for (let i = 0; i < selected.length; i++)
      picked[field * selected.length + i] = parameters[field * blobs + selected[i]];
  }
  return picked;
}

/** Blobs one behind the other. */
export function joinBlobs(groups: readonly Float32Array[]): Float32Array {
  const blobs = groups.reduce((sum, group) => sum + group.length, 0) / parameterCount;
  const joined = new Float32Array(parameterCount * blobs);
  let first = 0;
  for (const part of groups) {
    const groupBlobs = part.length / parameterCount;
    for (let field = 0; field < parameterCount; field++) {
      joined.set(part.subarray(field * groupBlobs, (field + 1) * groupBlobs), field * blobs + first);
    }
    first += groupBlobs;
  }
  return joined;
}

/** Direct blobs, seen from a place that lies so far from where they were seen from. */
export function translated(parameters: Float32Array, x: number, y: number): Float32Array {
  const blobs = parameters.length / parameterCount;
  const result = parameters.slice();
  for (let i = 0; i < blobs; i++) {
    result[i] -= x;
    result[blobs + i] -= y;
  }
  return result;
}

/** Blobs of which only those are at hand that are asked for. */
export interface BlobIndex {
  config: TrainConfig;
  /** Of the whole picture. */
  size: Size;
  /** All blobs whose support meets a box, in their order, field-major. */
  intersecting(box: Box): Promise<Float32Array>;
}

/** Blobs that are in memory, by the places that they reach to, which are found out once. */
export class IndexedBlobs implements BlobIndex {
  /** Left, top, right and bottom of each support: far less memory than boxes take. */
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

  /** How many there are. */
  get count(): number {
    return this.parameters.length / parameterCount;
  }

  /** How far all of them reach; none reach nowhere. */
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

  /** The blobs whose support meets a box, by their places in the buffer. */
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

/** Which direct blobs have their centre in a box, its right and its lower side excepted. */
export function centersIn(parameters: Float32Array, { left, top, right, bottom }: Box): boolean[] {
  const blobs = parameters.length / parameterCount;
  return Array.from({ length: blobs }, (_, i) => {
    const [x, y] = [parameters[i], parameters[blobs + i]];
    return x >= left && x < right && y >= top && y < bottom;
  });
}

/** How many times larger a picture is at least, as whose direct blobs those of a config can be written. */
export function minScale({ parameterization, covarianceScale }: TrainConfig, { width, height }: Size): number {
  if (parameterization === "direct") return 1;
  const thinnest = Math.sqrt(0.005 * covarianceScale) * Math.min(width, height);
  return Math.max(1, Math.sqrt(lowestVariance) / thinnest);
}

/**
 * Blobs of any parameterization as direct ones, of a picture that begins at a place of theirs and is so many times
 * larger: `minScale` at least.
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

/** Makes direct blobs so many times larger: their places and deviations alone are told in pixels. */
function scaleBlobs(parameters: Float32Array, scale: number): Float32Array {
  if (scale === 1) return parameters;
  const blobs = parameters.length / parameterCount;
  for (let i = 0; i < 2 * blobs; i++) parameters[i] *= scale;
  for (let i = 2 * blobs; i < 4 * blobs; i++) {
    parameters[i] = logDeviation(scale * Math.sqrt(Math.exp(2 * parameters[i]) + lowestVariance));
  }
  return parameters;
}

/** Of a deviation in pixels. */
function logDeviation(deviation: number): number {
  return 0.5 * Math.log(Math.max(deviation ** 2 - lowestVariance, 1e-8));
}

/** A direct blob of a sum has no opacity. */
function colorOf({ red, green, blue, opacity }: Blob, { blend }: TrainConfig): number[] {
  return blend === "sum" ? [opacity * red, opacity * green, opacity * blue] : [red, green, blue];
}

/** Opacities of 0 and 1 have none that is finite. */
function logit(opacity: number): number {
  return Math.min(Math.max(Math.log(opacity / (1 - opacity)), -40), 40);
}
