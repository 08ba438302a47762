import type { TrainConfig } from "../../../engine/config.js";
import {
  alphaBlendBackward,
  attenuationOf,
  lossBackward,
  type PixelState,
  undoPixelState,
} from "../../../engine/cpu/blend.js";
import type { BlobValues } from "../../../engine/cpu/blob.js";
import type { Size } from "../../../engine/image.js";
import {
  type BlendStep,
  blendSteps,
  copyState,
  Float32State,
  newPixelState,
  type PixelStack,
} from "../blending/pixelStack.js";

/** A gradient of the loss with respect to what a blob is at the pixel. */
export interface PixelGradient {
  dColor: [red: number, green: number, blue: number];
  dAlpha: number;
}

/** A blob on the way back, with the state before it: as it was kept, and as it is reconstructed. */
export interface UndoStep {
  blend: BlendStep;
  undone: PixelState;
  /** dL/d(C, T) before the blob; the same either way, since it does not depend on T. */
  d: PixelState;
  byKeeping: PixelGradient;
  byUndoing: PixelGradient;
}

/** A pixel forward and back. */
export interface UndoWalk {
  /** Of the blobs that were applied. */
  forward: BlendStep[];
  end: PixelState;
  /** dL/d(C, T) after the last blob. */
  dEnd: PixelState;
  squaredError: number;
  /** The last blob first. */
  backward: UndoStep[];
}

/** What numbers a state is kept in. */
export type Precision = "float32" | "float64";

/** Takes a pixel through its stack, and back in both ways. */
export function undoWalk(
  { blobs, target }: PixelStack,
  { blend, composite }: Pick<TrainConfig, "blend" | "composite">,
  { width, height }: Size,
  precision: Precision,
): UndoWalk {
  const attenuation = attenuationOf(blend);
  const isSingle = precision === "float32";
  const state = isSingle ? new Float32State() : newPixelState();
  const entries = isSingle ? blobs.map((entry) => ({ ...entry, alpha: Math.fround(entry.alpha) })) : blobs;
  const forward = blendSteps(entries, blend, state).filter(({ isApplied }) => isApplied);
  const end = copyState(state);
  const d = isSingle ? new Float32State() : newPixelState();
  const squaredError = lossBackward(state, target, composite, 1 / (width * height), d);
  const dEnd = copyState(d);
  const backward = forward.toReversed().map((step): UndoStep => {
    undoPixelState(state, step.place, step.blob, step.alpha, attenuation);
    const byKeeping = gradientAt(step, step.before, attenuation, copyState(d));
    const byUndoing = gradientAt(step, state, attenuation, d);
    return { blend: step, undone: copyState(state), d: copyState(d), byKeeping, byUndoing };
  });
  return { forward, end, dEnd, squaredError, backward };
}

function gradientAt({ blob, alpha }: BlendStep, before: PixelState, attenuation: number, d: PixelState): PixelGradient {
  const gradient = { ...blob } as BlobValues;
  const dAlpha = alphaBlendBackward(before, blob, alpha, attenuation, d, gradient);
  return { dColor: [gradient.red, gradient.green, gradient.blue], dAlpha };
}
