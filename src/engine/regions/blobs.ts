import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { type Blob, decode, decodeEach, highestCorrelation, lowestVariance, modelOf } from "../model/blob.js";
import { parameterCount } from "../model/blobs.js";
import { deviations } from "../model/bounds.js";
import { waitingCenter } from "../training/initialState.js";
import type { Rect } from "./plan.js";

/** A box of the picture, by the places that it reaches to, in pixels: 0 is the middle of the first one. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The places that belong to a rectangle's pixels: half a pixel lies before the middle of the first one. */
export function placesOf({ x, y, width, height }: Rect): Box {
  return { left: x - 0.5, top: y - 0.5, right: x + width - 0.5, bottom: y + height - 0.5 };
}

/** The same, and all that lies beyond those of its sides that are the picture's: nothing else does. */
export function territoryOf(rect: Rect, { width, height }: Size): Box {
  const { left, top, right, bottom } = placesOf(rect);
  return {
    left: rect.x === 0 ? Number.NEGATIVE_INFINITY : left,
    top: rect.y === 0 ? Number.NEGATIVE_INFINITY : top,
    right: rect.x + rect.width === width ? Number.POSITIVE_INFINITY : right,
    bottom: rect.y + rect.height === height ? Number.POSITIVE_INFINITY : bottom,
  };
}

/** Whether two boxes have a place in common. */
export function meet(a: Box, b: Box): boolean {
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
const leastReach = deviations * Math.sqrt(lowestVariance + 1e-8);

/**
 * Makes direct blobs narrower whose support reaches out of a box, and puts those back into it whose centre is not in it, so
 * that none reaches out of it. Blobs that wait stay where they are.
 * @param size of the picture whose places the parameters tell
 * @param which of the blobs; all if absent
 */
export function keepWithin(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  box: Box,
  which: (i: number) => boolean = () => true,
): void {
  const blobs = parameters.length / parameterCount;
  const ends = [
    [box.left, box.right],
    [box.top, box.bottom],
  ];
  let i = 0;
  for (const support of supports(config, size, parameters)) {
    if (!isWithin(support, box) && which(i) && parameters[i] !== waitingCenter) {
      for (const [axis, [low, high]] of ends.entries()) {
        const at = axis * blobs + i;
        parameters[at] = Math.max(low + leastReach, Math.min(high - leastReach, parameters[at]));
        const most = Math.max(0, Math.min(parameters[at] - low, high - parameters[at])) / deviations;
        const deviation = (2 + axis) * blobs + i;
        parameters[deviation] = Math.min(parameters[deviation], logDeviation(most));
      }
    }
    i++;
  }
}

/** Some of the blobs of a field-major buffer, in the order in which they are named. */
export function pick(parameters: Float32Array, which: ArrayLike<number>): Float32Array {
  const blobs = parameters.length / parameterCount;
  const picked = new Float32Array(parameterCount * which.length);
  for (let field = 0; field < parameterCount; field++) {
    for (let i = 0; i < which.length; i++) picked[field * which.length + i] = parameters[field * blobs + which[i]];
  }
  return picked;
}

/** Blobs one behind the other. */
export function join(parts: readonly Float32Array[]): Float32Array {
  const blobs = parts.reduce((sum, part) => sum + part.length, 0) / parameterCount;
  const joined = new Float32Array(parameterCount * blobs);
  let first = 0;
  for (const part of parts) {
    const own = part.length / parameterCount;
    for (let field = 0; field < parameterCount; field++) {
      joined.set(part.subarray(field * own, (field + 1) * own), field * blobs + first);
    }
    first += own;
  }
  return joined;
}

/** Direct blobs, seen from a place that lies so far from where they were seen from. */
export function moved(parameters: Float32Array, x: number, y: number): Float32Array {
  const blobs = parameters.length / parameterCount;
  const from = parameters.slice();
  for (let i = 0; i < blobs; i++) {
    from[i] -= x;
    from[blobs + i] -= y;
  }
  return from;
}

/** Blobs of which only those are at hand that are asked for. */
export interface BlobsByPlace {
  config: TrainConfig;
  /** Of the whole picture. */
  size: Size;
  /** All blobs whose support meets a box, in their order, field-major. */
  in(box: Box): Promise<Float32Array>;
}

/** Blobs that are in memory, by the places that they reach to, which are found out once. */
export class PlacedBlobs implements BlobsByPlace {
  /** Left, top, right and bottom of each support: far less memory than boxes take. */
  #known: Float64Array | undefined;

  constructor(
    readonly config: TrainConfig,
    readonly size: Size,
    readonly parameters: Float32Array,
  ) {}

  get #supports(): Float64Array {
    if (this.#known) return this.#known;
    this.#known = new Float64Array((4 * this.parameters.length) / parameterCount);
    let at = 0;
    for (const { left, top, right, bottom } of supports(this.config, this.size, this.parameters)) {
      this.#known[at++] = left;
      this.#known[at++] = top;
      this.#known[at++] = right;
      this.#known[at++] = bottom;
    }
    return this.#known;
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
  meeting(box: Box): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.count; i++) if (meet(this.#support(i), box)) found.push(i);
    return found;
  }

  #support(i: number): Box {
    const all = this.#supports;
    return { left: all[4 * i], top: all[4 * i + 1], right: all[4 * i + 2], bottom: all[4 * i + 3] };
  }

  async in(box: Box): Promise<Float32Array> {
    return pick(this.parameters, this.meeting(box));
  }
}

/** Which direct blobs have their centre in a box, its right and its lower side excepted. */
export function centredIn(parameters: Float32Array, { left, top, right, bottom }: Box): boolean[] {
  const blobs = parameters.length / parameterCount;
  return Array.from({ length: blobs }, (_, i) => {
    const [x, y] = [parameters[i], parameters[blobs + i]];
    return x >= left && x < right && y >= top && y < bottom;
  });
}

/** How many times larger a picture is at least, as whose direct blobs those of a config can be written. */
export function leastScale({ parameterization, covarianceScale }: TrainConfig, { width, height }: Size): number {
  if (parameterization === "direct") return 1;
  const thinnest = Math.sqrt(0.005 * covarianceScale) * Math.min(width, height);
  return Math.max(1, Math.sqrt(lowestVariance) / thinnest);
}

/**
 * Blobs of any parameterization as direct ones, of a picture that begins at a place of theirs and is so many times
 * larger: `leastScale` at least.
 */
export function asDirect(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  { x, y }: { x: number; y: number },
  scale: number,
): Float32Array {
  if (config.parameterization === "direct") return enlarged(moved(parameters, x, y), scale);
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
function enlarged(parameters: Float32Array, scale: number): Float32Array {
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
