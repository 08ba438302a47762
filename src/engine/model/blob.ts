import type { TrainConfig } from "../config.js";
import { type Size, sizeOf } from "../image/image.js";
import { parameterCount } from "./blobs.js";

/** The decoded values of one blob, their slopes or their gradients, in UV units. */
export interface BlobValues {
  centerX: number;
  centerY: number;
  varianceX: number;
  varianceY: number;
  /** ρ; Σxy = ρ √(Σxx Σyy). */
  correlation: number;
  red: number;
  green: number;
  blue: number;
  opacity: number;
}

/** The names of a blob's values, in the order of its raw parameters. */
export const valueNames = [
  "centerX",
  "centerY",
  "varianceX",
  "varianceY",
  "correlation",
  "red",
  "green",
  "blue",
  "opacity",
] as const satisfies (keyof BlobValues)[];

/** A decoded blob, the slopes dvalue/draw of its decoding, and derived values that evaluation needs often. */
export interface Blob extends BlobValues {
  slope: BlobValues;
  /** 1/√Σxx and 1/√Σyy. */
  perDeviationX: number;
  perDeviationY: number;
  /** 1/(1 − ρ²). */
  stretch: number;
  /** The largest α. */
  ceiling: number;
}

/** A blob's support: it is evaluated where power ≥ −8, inside its 4σ ellipse. */
export const lowestPower = -8;

/** The largest α with alpha compositing, which keeps 1/(1 − α) bounded. */
export const highestAlpha = 0.99;

/** S(y) = t²(3 − 2t), t = y clamped to 0..1. */
export function smoothstep(y: number): number {
  const t = Math.min(Math.max(y, 0), 1);
  return t * t * (3 - 2 * t);
}

/** dS/dy: zero outside 0..1. */
function smoothstepBackward(y: number): number {
  const t = Math.min(Math.max(y, 0), 1);
  return 6 * t * (1 - t);
}

/** What decoding depends on besides the raw parameters. */
export interface Model extends Pick<TrainConfig, "parameterization" | "blend" | "covarianceScale"> {
  /** Size of the target in pixels. */
  size: Size;
}

/** Returns the model of a job. */
export function modelOf({ parameterization, blend, covarianceScale }: TrainConfig, size: Size): Model {
  return { parameterization, blend, covarianceScale, size: sizeOf(size) };
}

/** Decodes blob i of a field-major buffer of raw parameters. CPU reference of shaders/shared/decode.wgsl. */
export function decode(parameters: ArrayLike<number>, i: number, model: Model): Blob {
  const blobs = parameters.length / parameterCount;
  const decodeRaw = model.parameterization === "direct" ? decodeDirect : decodeSmoothstep;
  const values = decodeRaw((field) => parameters[field * blobs + i], model);
  return Object.assign(values, {
    perDeviationX: 1 / Math.sqrt(values.varianceX),
    perDeviationY: 1 / Math.sqrt(values.varianceY),
    stretch: 1 / (1 - values.correlation * values.correlation),
    ceiling: model.blend === "over" ? highestAlpha : Number.POSITIVE_INFINITY,
  });
}

/**
 * Raw parameters decode independently of each other in both parameterizations, so the adjoint of decoding is a product
 * with the slopes.
 */
type Decoded = BlobValues & { slope: BlobValues };

/** The original algorithm's decoding: every value is a smoothstep of its raw parameter, constant outside its range. */
function decodeSmoothstep(raw: (field: number) => number, { covarianceScale }: Model): Decoded {
  return {
    centerX: smoothstep(raw(0)),
    centerY: smoothstep(raw(1)),
    varianceX: (smoothstep(0.8 * raw(2)) + 0.005) * covarianceScale,
    varianceY: (smoothstep(0.8 * raw(3)) + 0.005) * covarianceScale,
    correlation: (smoothstep(0.6 * raw(4)) - 0.5) * 1.65,
    red: smoothstep(0.8 * raw(5)),
    green: smoothstep(0.8 * raw(6)),
    blue: smoothstep(0.8 * raw(7)),
    opacity: smoothstep(0.9 * raw(8) + 0.1),
    slope: {
      centerX: smoothstepBackward(raw(0)), //@ decode.0
      centerY: smoothstepBackward(raw(1)), //@ decode.1
      varianceX: smoothstepBackward(0.8 * raw(2)) * 0.8 * covarianceScale, //@ decode.2
      varianceY: smoothstepBackward(0.8 * raw(3)) * 0.8 * covarianceScale, //@ decode.3
      correlation: smoothstepBackward(0.6 * raw(4)) * 0.6 * 1.65, //@ decode.4
      red: smoothstepBackward(0.8 * raw(5)) * 0.8, //@ decode.5
      green: smoothstepBackward(0.8 * raw(6)) * 0.8, //@ decode.6
      blue: smoothstepBackward(0.8 * raw(7)) * 0.8, //@ decode.7
      opacity: smoothstepBackward(0.9 * raw(8) + 0.1) * 0.9, //@ decode.8
    },
  };
}

/** Added to a direct blob's variances, in pixels²: a blob thinner than this would fall between the pixels. */
export const lowestVariance = 0.04;

/** A direct blob's |ρ| is below this, so that float32 can represent 1/(1 − ρ²). */
export const highestCorrelation = 0.999;

/**
 * Decodes the centre in pixels; the logarithms of the standard deviations in pixels and artanh ρ, which are the lengths
 * and the direction of the rows of Σ's Cholesky factor; the colour unchanged; and the opacity's logit. No value is
 * constant anywhere, except the opacity in a sum, which is 1.
 */
function decodeDirect(raw: (field: number) => number, { blend, size }: Model): Decoded {
  const { width, height } = size;
  const squareX = Math.exp(2 * raw(2));
  const squareY = Math.exp(2 * raw(3));
  // 1 − tanh² would lose its digits where tanh is near 1.
  const e = Math.exp(-2 * Math.abs(raw(4)));
  const opacity = blend === "sum" ? 1 : 1 / (1 + Math.exp(-raw(8)));
  return {
    centerX: raw(0) / width,
    centerY: raw(1) / height,
    varianceX: (squareX + lowestVariance) / width ** 2,
    varianceY: (squareY + lowestVariance) / height ** 2,
    correlation: (highestCorrelation * Math.sign(raw(4)) * (1 - e)) / (1 + e),
    red: raw(5),
    green: raw(6),
    blue: raw(7),
    opacity,
    slope: {
      centerX: 1 / width, //@ decode.0
      centerY: 1 / height, //@ decode.1
      varianceX: (2 * squareX) / width ** 2, //@ decode.2
      varianceY: (2 * squareY) / height ** 2, //@ decode.3
      correlation: (highestCorrelation * 4 * e) / (1 + e) ** 2, //@ decode.4
      red: 1, //@ decode.5
      green: 1, //@ decode.6
      blue: 1, //@ decode.7
      opacity: opacity * (1 - opacity), //@ decode.8
    },
  };
}

/** Decodes the blobs of a field-major buffer one by one. */
export function* decodeEach(parameters: ArrayLike<number>, model: Model): Generator<Blob> {
  const blobs = parameters.length / parameterCount;
  for (let i = 0; i < blobs; i++) yield decode(parameters, i, model);
}

/** Decodes all blobs of a field-major buffer. */
export function decodeAll(parameters: ArrayLike<number>, model: Model): Blob[] {
  return [...decodeEach(parameters, model)];
}

/** Returns the standard deviations √Σxx and √Σyy of a blob along the axes of an image, in its pixels. */
export function deviationsInPixels({ varianceX, varianceY }: BlobValues, { width, height }: Size): [number, number] {
  return [Math.sqrt(varianceX) * width, Math.sqrt(varianceY) * height];
}

/** Returns the decoded values of a blob in the order of `decodedNames`: those of `valueNames`, then deviations in pixels. */
export function decodedValues(parameters: ArrayLike<number>, i: number, model: Model): number[] {
  const blob = decode(parameters, i, model);
  return [...valueNames.map((name) => blob[name]), ...deviationsInPixels(blob, model.size)];
}

/** Returns e^power of a blob at a point in UV space, 0 outside its support. */
export function evalFalloff(blob: Blob, u: number, v: number): number {
  const x = (u - blob.centerX) * blob.perDeviationX;
  const y = (v - blob.centerY) * blob.perDeviationY;
  const power = -0.5 * blob.stretch * (x * x - 2 * blob.correlation * x * y + y * y);
  return power >= lowestPower ? Math.exp(power) : 0; //@ adjoint.power
}

/** Returns α = opacity · e^power, up to the blob's ceiling. */
export function alphaOf(blob: Blob, falloff: number): number {
  return Math.min(blob.ceiling, blob.opacity * falloff); //@ adjoint.ceiling
}

/**
 * Adjoint of `evalFalloff` and `alphaOf`: writes dL/d(centre, variances, correlation, opacity) at one pixel, given
 * the falloff there and dL/dα. The colours of `gradient` are left unchanged.
 */
export function evalBackward(
  blob: Blob,
  u: number,
  v: number,
  falloff: number,
  dAlpha: number,
  gradient: BlobValues,
): void {
  const alpha = blob.opacity * falloff;
  // At its ceiling α is constant.
  const d = alpha < blob.ceiling ? dAlpha : 0; //@ adjoint.ceiling
  const dPower = d * alpha;
  const { correlation, stretch } = blob;
  const x = (u - blob.centerX) * blob.perDeviationX;
  const y = (v - blob.centerY) * blob.perDeviationY;
  const power = -0.5 * stretch * (x * x - 2 * correlation * x * y + y * y);
  const dX = -dPower * stretch * (x - correlation * y); //@ adjoint.power
  const dY = -dPower * stretch * (y - correlation * x);
  gradient.centerX = -dX * blob.perDeviationX; //@ falloff.0
  gradient.centerY = -dY * blob.perDeviationY; //@ falloff.1
  gradient.varianceX = (-0.5 * dX * x) / blob.varianceX; //@ covariance.0
  gradient.varianceY = (-0.5 * dY * y) / blob.varianceY; //@ covariance.1
  gradient.correlation = dPower * stretch * (x * y + 2 * correlation * power); //@ covariance.2
  gradient.opacity = d * falloff; //@ falloff.2
}
