import type { Background, TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { gradientLimitOf } from "../model/accumulate.js";
import { corrections } from "../model/adam.js";
import { attenuationOf } from "../model/blend.js";
import { baseRates, scheduleAtStep } from "../model/rates.js";
import { structBytes } from "./structs.js";

/** Bytes from one dispatch's uniform to the next. */
export const dispatchStride = 256;

/** A dispatch's range of tiles or segments, first ≤ i < end, in a render of `size` at training step `step`. */
export interface DispatchRange {
  size: Size;
  first: number;
  end: number;
  step: number;
  /** In a band of an image: its first row of pixels in the image, and the image's height. */
  top?: number;
  imageHeight?: number;
}

/** Returns one struct Dispatch of shaders/shared/config.wgsl per range, each at a multiple of 256 bytes. */
export function dispatchUniform(ranges: DispatchRange[], config: TrainConfig, horizon = config.steps): Uint8Array {
  const bytes = new ArrayBuffer(dispatchStride * ranges.length);
  for (const [index, { size, first, end, step, top = 0, imageHeight = size.height }] of ranges.entries()) {
    const words = new Uint32Array(bytes, dispatchStride * index, structBytes.Dispatch / 4);
    const floats = new Float32Array(bytes, dispatchStride * index, structBytes.Dispatch / 4);
    words.set([size.width, size.height, first, end]);
    floats.set(corrections(config.biasCorrection, step), 4);
    words[6] = step;
    floats[7] = scheduleAtStep(config, step, horizon);
    words.set([top, imageHeight], 8);
  }
  return new Uint8Array(bytes);
}

/** Returns the overrides of shaders/shared/ for a config's model. */
export function modelConstants({ parameterization, blend, background }: TrainConfig): Record<string, number> {
  return {
    DIRECT: Number(parameterization === "direct"),
    ATTENUATION: attenuationOf(blend),
    BACKGROUND: backgrounds.indexOf(background),
    LARGEST_GRADIENT: Math.min(gradientLimitOf(parameterization), 1e30),
  };
}

/** In the order of the constants in shaders/shared/loss.wgsl. */
const backgrounds: Background[] = ["original", "white", "black"];

/** Returns the struct Job of shaders/shared/config.wgsl. */
export function jobUniform(config: TrainConfig, { width, height }: Size): Uint8Array {
  const bytes = new ArrayBuffer(structBytes.Job);
  const [words, floats] = [new Uint32Array(bytes), new Float32Array(bytes)];
  words[0] = config.blobs;
  floats[1] = config.covarianceScale;
  words.set([width, height], 2);
  floats.set(baseRates(config), 4);
  return new Uint8Array(bytes);
}
