import { parameterCount } from "../blobs.js";

/** The numbers of one blob: of its decoded values, of their slopes, or of a gradient. UV units. */
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

/** A decoded blob, the slopes dvalue/draw of its decoding, and what evaluation needs again and again. */
export interface Blob extends BlobValues {
  slope: BlobValues;
  /** 1/√Σxx and 1/√Σyy. */
  perDeviationX: number;
  perDeviationY: number;
  /** 1/(1 − ρ²). */
  stretch: number;
}

/** A blob's support: it is evaluated where power ≥ −8, inside its 4σ ellipse. */
export const lowestPower = -8;

/** The largest α, which keeps the undo's 1/(1 − α) bounded. */
export const highestAlpha = 0.99;

/** S(y) = t²(3 − 2t), t = y clamped to 0..1. */
export function smoothstep(y: number): number {
  const t = Math.min(Math.max(y, 0), 1);
  return t * t * (3 - 2 * t);
}

/** dS/dy: zero outside 0..1. */
export function smoothstepBackward(y: number): number {
  const t = Math.min(Math.max(y, 0), 1);
  return 6 * t * (1 - t);
}

/**
 * Decodes blob i of a field-major buffer of raw parameters. Twin of shaders/shared/blob.wgsl.
 * Each raw parameter decodes by itself, so the adjoint of decoding is a product with `slope`.
 */
export function decode(parameters: ArrayLike<number>, i: number, covarianceScale: number): Blob {
  const blobs = parameters.length / parameterCount;
  const raw = (field: number) => parameters[field * blobs + i];
  const varianceX = (smoothstep(0.8 * raw(2)) + 0.005) * covarianceScale;
  const varianceY = (smoothstep(0.8 * raw(3)) + 0.005) * covarianceScale;
  const correlation = (smoothstep(0.6 * raw(4)) - 0.5) * 1.65;
  return {
    centerX: smoothstep(raw(0)),
    centerY: smoothstep(raw(1)),
    varianceX,
    varianceY,
    correlation,
    red: smoothstep(0.8 * raw(5)),
    green: smoothstep(0.8 * raw(6)),
    blue: smoothstep(0.8 * raw(7)),
    opacity: smoothstep(0.9 * raw(8) + 0.1),
    slope: {
      centerX: smoothstepBackward(raw(0)),
      centerY: smoothstepBackward(raw(1)),
      varianceX: smoothstepBackward(0.8 * raw(2)) * 0.8 * covarianceScale,
      varianceY: smoothstepBackward(0.8 * raw(3)) * 0.8 * covarianceScale,
      correlation: smoothstepBackward(0.6 * raw(4)) * 0.6 * 1.65,
      red: smoothstepBackward(0.8 * raw(5)) * 0.8,
      green: smoothstepBackward(0.8 * raw(6)) * 0.8,
      blue: smoothstepBackward(0.8 * raw(7)) * 0.8,
      opacity: smoothstepBackward(0.9 * raw(8) + 0.1) * 0.9,
    },
    perDeviationX: 1 / Math.sqrt(varianceX),
    perDeviationY: 1 / Math.sqrt(varianceY),
    stretch: 1 / (1 - correlation * correlation),
  };
}

/** The blobs of a field-major buffer, decoded one by one. */
export function* decodeEach(parameters: ArrayLike<number>, covarianceScale: number): Generator<Blob> {
  const blobs = parameters.length / parameterCount;
  for (let i = 0; i < blobs; i++) yield decode(parameters, i, covarianceScale);
}

/** All blobs of a field-major buffer, decoded. */
export function decodeAll(parameters: ArrayLike<number>, covarianceScale: number): Blob[] {
  return [...decodeEach(parameters, covarianceScale)];
}

/** e^power of a blob at a point of UV space on its support, 0 outside. */
export function evalFalloff(blob: Blob, u: number, v: number): number {
  const x = (u - blob.centerX) * blob.perDeviationX;
  const y = (v - blob.centerY) * blob.perDeviationY;
  const power = -0.5 * blob.stretch * (x * x - 2 * blob.correlation * x * y + y * y);
  return power >= lowestPower ? Math.exp(power) : 0;
}

/** α = min(0.99, opacity · e^power). */
export function alphaOf(blob: Blob, falloff: number): number {
  return Math.min(highestAlpha, blob.opacity * falloff);
}

/**
 * Adjoint of `evalFalloff` and `alphaOf`: writes dL/d(centre, variances, correlation, opacity) at one pixel, given
 * the falloff there and dL/dα. The colours of `gradient` are left as they are.
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
  const d = alpha < highestAlpha ? dAlpha : 0;
  const dPower = d * alpha;
  const { correlation, stretch } = blob;
  const x = (u - blob.centerX) * blob.perDeviationX;
  const y = (v - blob.centerY) * blob.perDeviationY;
  const power = -0.5 * stretch * (x * x - 2 * correlation * x * y + y * y);
  const dX = -dPower * stretch * (x - correlation * y);
  const dY = -dPower * stretch * (y - correlation * x);
  gradient.centerX = -dX * blob.perDeviationX;
  gradient.centerY = -dY * blob.perDeviationY;
  gradient.varianceX = (-0.5 * dX * x) / blob.varianceX;
  gradient.varianceY = (-0.5 * dY * y) / blob.varianceY;
  gradient.correlation = dPower * stretch * (x * y + 2 * correlation * power);
  gradient.opacity = d * falloff;
}
