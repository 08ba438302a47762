import type { Composite, TrainConfig } from "../config.js";
import { largestGradientOf } from "../model/accumulate.js";
import { corrections } from "../model/adam.js";
import { attenuationOf } from "../model/blend.js";
import type { TrainingState } from "../model/blobs.js";
import { baseRates, scheduleAtStep } from "../model/rates.js";
import type { Size } from "../picture/image.js";

/** Bytes of a dispatch's uniform, and from one to the next in a buffer. */
export const dispatchBytes = 32;
export const dispatchStride = 256;

/** The workgroups first ≤ w < end of a kernel, rendering at `size`, at training step `step`. */
export interface Share {
  size: Size;
  first: number;
  end: number;
  step: number;
}

/** One struct Dispatch of shaders/shared/config.wgsl a share, each at a multiple of 256 bytes. */
export function dispatchUniform(shares: Share[], config: TrainConfig, horizon = config.steps): Uint8Array {
  const bytes = new ArrayBuffer(dispatchStride * shares.length);
  for (const [index, { size, first, end, step }] of shares.entries()) {
    const offset = dispatchStride * index;
    new Uint32Array(bytes, offset, 4).set([size.width, size.height, first, end]);
    new Float32Array(bytes, offset + 16, 2).set(corrections(config.biasCorrection, step));
    new Uint32Array(bytes, offset + 24, 1)[0] = step;
    new Float32Array(bytes, offset + 28, 1)[0] = scheduleAtStep(config, step, horizon);
  }
  return new Uint8Array(bytes);
}

/** The overrides by which shaders/shared/ is compiled to a config's model. */
export function modelConstants({ parameterization, blend, composite }: TrainConfig): Record<string, number> {
  return {
    DIRECT: Number(parameterization === "direct"),
    ATTENUATION: attenuationOf(blend),
    COMPOSITE: composites.indexOf(composite),
    LARGEST_GRADIENT: Math.min(largestGradientOf(parameterization), 1e30),
  };
}

/** In the order of the numbers in shaders/shared/loss.wgsl. */
const composites: Composite[] = ["seed", "white", "black"];

/** The contents of the buffer of shaders/shared/adam.wgsl. */
export function momentsOf({ firstMoments, secondMoments }: TrainingState): Float32Array {
  const moments = new Float32Array(firstMoments.length + secondMoments.length);
  moments.set(firstMoments);
  moments.set(secondMoments, firstMoments.length);
  return moments;
}

/** The struct Job of shaders/shared/config.wgsl. */
export function jobUniform(config: TrainConfig, image: Size): Uint8Array {
  const bytes = new ArrayBuffer(64);
  new Uint32Array(bytes)[0] = config.blobs;
  new Float32Array(bytes)[1] = config.covarianceScale;
  new Uint32Array(bytes, 8).set([image.width, image.height]);
  new Float32Array(bytes, 16).set(baseRates(config));
  return new Uint8Array(bytes);
}
