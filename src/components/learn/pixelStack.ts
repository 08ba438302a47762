import type { Blend } from "../../engine/config.js";
import { attenuationOf, clearPixelState, type PixelState, transformPixelState } from "../../engine/model/blend.js";
import { alphaOf, type Blob, decodeEach, evalFalloff, modelOf } from "../../engine/model/blob.js";
import { calcUV } from "../../engine/model/uv.js";
import type { Snapshot } from "./snapshotFile.js";

type Color = Record<"red" | "green" | "blue", number>;

/** A blob of a pixel's stack, with its values at the pixel. */
export interface StackBlob {
  /** Index among all blobs, which is the depth. */
  index: number;
  blob: Blob;
  /** e^power at the pixel; 0 outside the blob's support. */
  falloff: number;
  /** α at the pixel. */
  alpha: number;
}

/** One iteration of the blending loop at a pixel. */
export type BlendStep = ReturnType<typeof blendSteps<StackBlob>>[number];

/** Returns the blobs with α > 0 at a pixel of a snapshot, front to back. */
export function stackAt({ config, image, state }: Snapshot, x: number, y: number): StackBlob[] {
  const { scaleX, scaleY, offsetX, offsetY } = calcUV(image, image);
  const [u, v] = [x * scaleX + offsetX, y * scaleY + offsetY];
  const blobs = [...decodeEach(state.parameters, modelOf(config, image))];
  return blobs.map((blob, index) => blobAt(index, blob, u, v)).filter(({ alpha }) => alpha > 0);
}

/** Evaluates a blob at a pixel. */
export function blobAt(index: number, blob: Blob, u: number, v: number): StackBlob {
  const falloff = evalFalloff(blob, u, v);
  return { index, blob, falloff, alpha: alphaOf(blob, falloff) };
}

/** Returns the state before the first blob, in float64. */
export function newPixelState(): PixelState {
  return { red: 0, green: 0, blue: 0, transmittance: 1, finalCount: 0 };
}

/**
 * Returns the same state in float32: each number is rounded when it is stored. Intermediate results are not rounded, as
 * on a GPU that fuses multiplications and additions.
 */
export function float32State(): PixelState {
  return new Proxy(newPixelState(), {
    set: (state, name: keyof PixelState, value: number) => {
      state[name] = Math.fround(value);
      return true;
    },
  });
}

/** Blends a stack into a pixel and returns the iterations, with the functions of the CPU reference. */
export function blendSteps<B extends { blob: Color; alpha: number }>(
  blobs: readonly B[],
  blend: Blend,
  state = newPixelState(),
) {
  const attenuation = attenuationOf(blend);
  clearPixelState(state);
  let after = { ...state };
  return blobs.map((entry, index) => {
    const before = after;
    const isApplied = transformPixelState(state, entry.blob, entry.alpha, attenuation);
    after = { ...state };
    const weight = isApplied ? entry.alpha * before.transmittance : 0;
    // `position` counts from 1, as finalCount does.
    return { ...entry, position: index + 1, before, after, isApplied, weight };
  });
}

/** Returns red, green and blue of a state or a blob. */
export function colorOf({ red, green, blue }: Color): number[] {
  return [red, green, blue];
}
