// Decodes raw parameters to projected blobs; reference: src/engine/model/blob.ts.
import {
  attenuation,
  blobs,
  covarianceScale,
  isDirect,
  offsetX,
  offsetY,
  parameters,
  scaleX,
  scaleY,
  textureHeight,
  textureWidth,
} from "./job";
import { exp } from "./math";

/**
 * A decoded blob. With x and y in pixels from its centre, e^power is 2^-(a² + b²), where a = alongA x + acrossA y and
 * b = acrossB y. In these coordinates sums are accurate for thin blobs too.
 */
@unmanaged
export class Blob {
  /** In pixels of the image. */
  centerX: f64;
  centerY: f64;
  alongA: f32;
  acrossA: f32;
  acrossB: f32;
  opacity: f32;
  red: f32;
  green: f32;
  blue: f32;
  /** Half the extent of the support, in pixels. */
  reachX: f32;
  reachY: f32;
  correlation: f32;
  /** √(1 − ρ²). */
  flatness: f32;
  /** ρ / √(1 − ρ²). */
  slant: f32;
  // Factors from sums over pixels to gradients of the raw parameters.
  centerXFactor: f32;
  centerYFactor: f32;
  varianceXFactor: f32;
  varianceYFactor: f32;
  correlationFactor: f32;
  redFactor: f32;
  greenFactor: f32;
  blueFactor: f32;
  opacityFactor: f32;
}

/** Bytes per blob: two cache lines, of which blending reads the first. */
export const blobStride: usize = 128;

const lowestVariance: f64 = 0.04;
const highestCorrelation: f64 = 0.999;
/** √(log₂ e / 2): a standard deviation in the units of a and b. */
const unit: f64 = 0.8493218002880191;
const deviations: f64 = 4;

/** Hoisted, since divisions are slow. */
let perScaleX: f64 = 0;
let perScaleY: f64 = 0;

/** Decodes all blobs to an address. */
export function decodeBlobs(to: usize): void {
  perScaleX = 1 / scaleX;
  perScaleY = 1 / scaleY;
  for (let i = 0; i < blobs; i++) decode(i, changetype<Blob>(to + <usize>i * blobStride));
}

function raw(i: i32, field: i32): f64 {
  return <f64>load<f32>(parameters + ((<usize>field * <usize>blobs + <usize>i) << 2));
}

function smoothstep(y: f64): f64 {
  const t = min<f64>(max<f64>(y, 0), 1);
  return t * t * (3 - 2 * t);
}

function smoothstepSlope(y: f64): f64 {
  const t = min<f64>(max<f64>(y, 0), 1);
  return 6 * t * (1 - t);
}

function decode(i: i32, blob: Blob): void {
  let centerX: f64, centerY: f64, varianceX: f64, varianceY: f64, correlation: f64, opacity: f64;
  let slopeX: f64, slopeY: f64, varianceXSlope: f64, varianceYSlope: f64, correlationSlope: f64, opacitySlope: f64;
  if (isDirect) {
    centerX = raw(i, 0) / textureWidth;
    centerY = raw(i, 1) / textureHeight;
    slopeX = 1 / textureWidth;
    slopeY = 1 / textureHeight;
    const squareX = exp(2 * raw(i, 2));
    const squareY = exp(2 * raw(i, 3));
    varianceX = (squareX + lowestVariance) * slopeX * slopeX;
    varianceY = (squareY + lowestVariance) * slopeY * slopeY;
    varianceXSlope = 2 * squareX * slopeX * slopeX;
    varianceYSlope = 2 * squareY * slopeY * slopeY;
    const e = exp(-2 * abs<f64>(raw(i, 4)));
    correlation = copysign<f64>((highestCorrelation * (1 - e)) / (1 + e), raw(i, 4));
    correlationSlope = (highestCorrelation * 4 * e) / ((1 + e) * (1 + e));
    blob.red = <f32>raw(i, 5);
    blob.green = <f32>raw(i, 6);
    blob.blue = <f32>raw(i, 7);
    blob.redFactor = blob.greenFactor = blob.blueFactor = 1;
    opacity = attenuation === 0 ? 1 : 1 / (1 + exp(-raw(i, 8)));
    opacitySlope = opacity * (1 - opacity);
  } else {
    centerX = smoothstep(raw(i, 0));
    centerY = smoothstep(raw(i, 1));
    slopeX = smoothstepSlope(raw(i, 0));
    slopeY = smoothstepSlope(raw(i, 1));
    varianceX = (smoothstep(0.8 * raw(i, 2)) + 0.005) * covarianceScale;
    varianceY = (smoothstep(0.8 * raw(i, 3)) + 0.005) * covarianceScale;
    varianceXSlope = smoothstepSlope(0.8 * raw(i, 2)) * 0.8 * covarianceScale;
    varianceYSlope = smoothstepSlope(0.8 * raw(i, 3)) * 0.8 * covarianceScale;
    correlation = (smoothstep(0.6 * raw(i, 4)) - 0.5) * 1.65;
    correlationSlope = smoothstepSlope(0.6 * raw(i, 4)) * 0.6 * 1.65;
    blob.red = <f32>smoothstep(0.8 * raw(i, 5));
    blob.green = <f32>smoothstep(0.8 * raw(i, 6));
    blob.blue = <f32>smoothstep(0.8 * raw(i, 7));
    blob.redFactor = <f32>(smoothstepSlope(0.8 * raw(i, 5)) * 0.8);
    blob.greenFactor = <f32>(smoothstepSlope(0.8 * raw(i, 6)) * 0.8);
    blob.blueFactor = <f32>(smoothstepSlope(0.8 * raw(i, 7)) * 0.8);
    opacity = smoothstep(0.9 * raw(i, 8) + 0.1);
    opacitySlope = smoothstepSlope(0.9 * raw(i, 8) + 0.1) * 0.9;
  }
  const deviationX = sqrt<f64>(varianceX);
  const deviationY = sqrt<f64>(varianceY);
  const flatness = sqrt<f64>(1 - correlation * correlation);
  const perDeviationX = 1 / deviationX;
  const perDeviationY = 1 / deviationY;
  const perFlatness = 1 / flatness;
  const slant = correlation * perFlatness;
  blob.centerX = (centerX - offsetX) * perScaleX;
  blob.centerY = (centerY - offsetY) * perScaleY;
  blob.alongA = <f32>(unit * scaleX * perFlatness * perDeviationX);
  blob.acrossA = <f32>(-unit * slant * scaleY * perDeviationY);
  blob.acrossB = <f32>(unit * scaleY * perDeviationY);
  blob.opacity = <f32>opacity;
  blob.reachX = <f32>(deviations * deviationX * perScaleX);
  blob.reachY = <f32>(deviations * deviationY * perScaleY);
  blob.correlation = <f32>correlation;
  blob.flatness = <f32>flatness;
  blob.slant = <f32>slant;
  const first = opacity * (1 / unit);
  const second = first * (1 / unit);
  blob.centerXFactor = <f32>(first * slopeX * perFlatness * perDeviationX);
  blob.centerYFactor = <f32>(first * slopeY * perDeviationY);
  blob.varianceXFactor = <f32>(0.5 * second * varianceXSlope * perDeviationX * perDeviationX);
  blob.varianceYFactor = <f32>(0.5 * second * varianceYSlope * perDeviationY * perDeviationY);
  blob.correlationFactor = <f32>(second * correlationSlope * perFlatness);
  blob.opacityFactor = <f32>opacitySlope;
}
