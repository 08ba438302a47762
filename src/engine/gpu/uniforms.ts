import type { Background, TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { gradientLimitOf } from "../model/accumulate.js";
import { corrections } from "../model/adam.js";
import { attenuationOf } from "../model/blend.js";
import { baseRates, scheduleAtStep } from "../model/rates.js";
import type { ShaderLibrary } from "../shaders.js";
import { structOf } from "./structs.js";

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
export function dispatchUniform(
  shaders: ShaderLibrary,
  ranges: DispatchRange[],
  config: TrainConfig,
  horizon = config.steps,
): Uint8Array {
  const values = ranges.map(({ size, first, end, step, top = 0, imageHeight = size.height }) => ({
    renderSize: [size.width, size.height],
    first,
    end,
    corrections: corrections(config.biasCorrection, step),
    step,
    schedule: scheduleAtStep(config, step, horizon),
    top,
    imageHeight,
  }));
  return structOf(shaders, "Dispatch").encode(values, dispatchStride);
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
export function jobUniform(shaders: ShaderLibrary, config: TrainConfig, image: Size): Uint8Array {
  const { blobs, covarianceScale } = config;
  const textureSize = [image.width, image.height];
  return structOf(shaders, "Job").encode([
    { blobCount: blobs, covarianceScale, textureSize, rates: baseRates(config) },
  ]);
}
