import type { Background, Blend } from "../config.js";
import type { BlobValues } from "./blob.js";

/** The colour of a blob. */
type Color = Pick<BlobValues, "red" | "green" | "blue">;

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

/**
 * Returns the attenuation κ, the part of α by which a blob reduces the transmittance: 1 with "over", 0 in a sum, where
 * the order does not matter and T stays 1.
 */
export function attenuationOf(blend: Blend): number {
  return blend === "over" ? 1 : 0;
}

/** Sets the state before the first blob. */
export function clearPixelState(state: PixelState): void {
  state.red = 0;
  state.green = 0;
  state.blue = 0;
  state.transmittance = 1;
  state.finalCount = 0;
}

/** C' = C + α c T and T' = T (1 − κα) with the attenuation κ, in place. CPU reference of shaders/shared/blend.wgsl. */
export function alphaBlend(state: PixelState, color: Color, alpha: number, attenuation: number): void {
  const weight = alpha * state.transmittance;
  state.red += weight * color.red;
  state.green += weight * color.green;
  state.blue += weight * color.blue;
  state.transmittance *= 1 - attenuation * alpha; //@ blend.formula
}

/** Undoes `alphaBlend`: T = T'/(1 − κα) and C = C' − α c T, in place. */
export function undoAlphaBlend(state: PixelState, color: Color, alpha: number, attenuation: number): void {
  state.transmittance /= 1 - attenuation * alpha; //@ undo.{divide,3,7}
  const weight = alpha * state.transmittance;
  state.red -= weight * color.red; //@ undo.{0,4}
  state.green -= weight * color.green; //@ undo.{1,5}
  state.blue -= weight * color.blue; //@ undo.{2,6}
}

/**
 * Returns dL/dα: the adjoint of `alphaBlend`. Takes the state before it and dL/d(C', T') in `d`; leaves dL/d(C, T) in
 * `d` and writes dL/dc into the colours of `gradient`.
 */
export function alphaBlendBackward(
  before: PixelState,
  color: Color,
  alpha: number,
  attenuation: number,
  d: PixelState,
  gradient: BlobValues,
): number {
  const weight = alpha * before.transmittance;
  gradient.red = d.red * weight; //@ blend.4
  gradient.green = d.green * weight; //@ blend.5
  gradient.blue = d.blue * weight; //@ blend.6
  const alongColor = d.red * color.red + d.green * color.green + d.blue * color.blue;
  const dAlpha = before.transmittance * (alongColor - attenuation * d.transmittance); //@ undo.color blend.7
  d.transmittance = d.transmittance * (1 - attenuation * alpha) + alpha * alongColor; //@ blend.3
  return dAlpha;
}

/** Applies a blob while T ≥ 1/255, and returns whether it did. The blob that crosses the limit is still applied. */
export function transformPixelState(state: PixelState, color: Color, alpha: number, attenuation: number): boolean {
  if (state.transmittance < lowestTransmittance) return false; //@ blend.stop
  alphaBlend(state, color, alpha, attenuation);
  state.finalCount++; //@ blend.count
  return true;
}

/** Undoes blob `index`, counted from 1, if it was applied, and returns whether it was. */
export function undoPixelState(
  state: PixelState,
  index: number,
  color: Color,
  alpha: number,
  attenuation: number,
): boolean {
  if (index > state.finalCount) return false;
  undoAlphaBlend(state, color, alpha, attenuation);
  state.finalCount--;
  return true;
}

/** Returns one channel of a pixel with its background: C (1 − T) + T as in the original algorithm, C + T over white, or C over black. */
export function compositeChannel(color: number, transmittance: number, background: Background): number {
  if (background === "original") return color * (1 - transmittance) + transmittance;
  return background === "white" ? color + transmittance : color;
}

/**
 * Returns the squared error of a pixel with its background against the target (0..1), summed over rgb. Writes its adjoint, times
 * `weight`, into `d` as dL/d(C, T).
 */
export function lossBackward(
  state: PixelState,
  target: ArrayLike<number>,
  background: Background,
  weight: number,
  d: PixelState,
): number {
  const { transmittance: t } = state;
  const errorRed = compositeChannel(state.red, t, background) - target[0]; //@ loss.error
  const errorGreen = compositeChannel(state.green, t, background) - target[1];
  const errorBlue = compositeChannel(state.blue, t, background) - target[2];
  const perColor = 2 * weight * (background === "original" ? 1 - t : 1);
  d.red = perColor * errorRed; //@ {composite,loss}.{original,white,black}.0
  d.green = perColor * errorGreen; //@ {composite,loss}.{original,white,black}.1
  d.blue = perColor * errorBlue; //@ {composite,loss}.{original,white,black}.2
  d.transmittance = 0; //@ {composite,loss}.black.3
  if (background === "white") d.transmittance = 2 * weight * (errorRed + errorGreen + errorBlue); //@ {composite,loss}.white.3
  if (background === "original") {
    const againstWhite = errorRed * (1 - state.red) + errorGreen * (1 - state.green) + errorBlue * (1 - state.blue);
    d.transmittance = 2 * weight * againstWhite; //@ {composite,loss}.original.3
  }
  return errorRed * errorRed + errorGreen * errorGreen + errorBlue * errorBlue;
}
