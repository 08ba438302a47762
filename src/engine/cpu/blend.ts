import type { Composite } from "../config.js";
import type { BlobValues } from "./blob.js";

/** Below this transmittance a pixel takes no further blob. */
export const lowestTransmittance = 1 / 255;

/** A pixel while blobs are blended into it, front to back: premultiplied colour C, transmittance T, blobs applied. */
export interface PixelState {
  red: number;
  green: number;
  blue: number;
  transmittance: number;
  finalCount: number;
}

/** The state before the first blob. */
export function clearPixelState(state: PixelState): void {
  state.red = 0;
  state.green = 0;
  state.blue = 0;
  state.transmittance = 1;
  state.finalCount = 0;
}

/** C' = C + α c T and T' = T (1 − α), in place. Twin of shaders/shared/blend.wgsl. */
export function alphaBlend(state: PixelState, color: BlobValues, alpha: number): void {
  const weight = alpha * state.transmittance;
  state.red += weight * color.red;
  state.green += weight * color.green;
  state.blue += weight * color.blue;
  state.transmittance *= 1 - alpha;
}

/** Undoes `alphaBlend`: T = T'/(1 − α) and C = C' − α c T, in place. */
export function undoAlphaBlend(state: PixelState, color: BlobValues, alpha: number): void {
  state.transmittance /= 1 - alpha;
  const weight = alpha * state.transmittance;
  state.red -= weight * color.red;
  state.green -= weight * color.green;
  state.blue -= weight * color.blue;
}

/**
 * Adjoint of `alphaBlend`. Takes the state before it and dL/d(C', T') in `d`; leaves dL/d(C, T) in `d`, writes
 * dL/dc into the colours of `gradient`, and returns dL/dα.
 */
export function alphaBlendBackward(
  before: PixelState,
  color: BlobValues,
  alpha: number,
  d: PixelState,
  gradient: BlobValues,
): number {
  const weight = alpha * before.transmittance;
  gradient.red = d.red * weight;
  gradient.green = d.green * weight;
  gradient.blue = d.blue * weight;
  const alongColor = d.red * color.red + d.green * color.green + d.blue * color.blue;
  const dAlpha = before.transmittance * (alongColor - d.transmittance);
  d.transmittance = d.transmittance * (1 - alpha) + alpha * alongColor;
  return dAlpha;
}

/** Applies a blob while T ≥ 1/255; says whether it did. The blob that crosses is still applied. */
export function transformPixelState(state: PixelState, color: BlobValues, alpha: number): boolean {
  if (state.transmittance < lowestTransmittance) return false;
  alphaBlend(state, color, alpha);
  state.finalCount++;
  return true;
}

/** Undoes step `index` (counted from 1) if it was applied; says whether it was. */
export function undoPixelState(state: PixelState, index: number, color: BlobValues, alpha: number): boolean {
  if (index > state.finalCount) return false;
  undoAlphaBlend(state, color, alpha);
  state.finalCount--;
  return true;
}

/** One channel of the pixel: C (1 − T) + T as the seeds print it, or C + T over white. */
export function compositeChannel(color: number, transmittance: number, composite: Composite): number {
  return composite === "seed" ? color * (1 - transmittance) + transmittance : color + transmittance;
}

/**
 * Squared error of the composited pixel against the target (0..1), summed over rgb; and its adjoint, scaled by
 * `weight`, written into `d` as dL/d(C, T).
 */
export function lossBackward(
  state: PixelState,
  target: ArrayLike<number>,
  composite: Composite,
  weight: number,
  d: PixelState,
): number {
  const { transmittance: t } = state;
  const errorRed = compositeChannel(state.red, t, composite) - target[0];
  const errorGreen = compositeChannel(state.green, t, composite) - target[1];
  const errorBlue = compositeChannel(state.blue, t, composite) - target[2];
  const seed = composite === "seed";
  const perColor = 2 * weight * (seed ? 1 - t : 1);
  d.red = perColor * errorRed;
  d.green = perColor * errorGreen;
  d.blue = perColor * errorBlue;
  d.transmittance = seed
    ? 2 * weight * (errorRed * (1 - state.red) + errorGreen * (1 - state.green) + errorBlue * (1 - state.blue))
    : 2 * weight * (errorRed + errorGreen + errorBlue);
  return errorRed * errorRed + errorGreen * errorGreen + errorBlue * errorBlue;
}
