import {
  alphaBlendBackward,
  attenuationOf,
  lossBackward,
  type PixelState,
  undoPixelState,
} from "../../../engine/cpu/blend.js";
import type { BlobValues } from "../../../engine/cpu/blob.js";
import {
  type BlendStep,
  blendSteps,
  colorOf,
  float32State,
  newPixelState,
  type PixelStack,
} from "../blending/pixelStack.js";

/** A gradient of the loss with respect to what a blob is at the pixel. */
export interface PixelGradient {
  dColor: number[];
  dAlpha: number;
}

/** A blob on the way back, with the state before it: as it was kept, and as it is reconstructed. */
export interface UndoStep {
  blend: BlendStep;
  undone: PixelState;
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
  backward: UndoStep[];
}

/**
 * Takes a pixel through its stack, and back in both ways.
 * @param precision what numbers its states are kept in
 */
export function undoWalk({ scene, blobs, target }: PixelStack, precision: "float32" | "float64"): UndoWalk {
  const { blend, composite } = scene.config;
  const { width, height } = scene.target;
  const attenuation = attenuationOf(blend);
  const [rounded, newState] =
    precision === "float32" ? [Math.fround, float32State] : [(alpha: number) => alpha, newPixelState];
  const [state, d] = [newState(), newState()];
  const entries = blobs.map((entry) => ({ ...entry, alpha: rounded(entry.alpha) }));
  const forward = blendSteps(entries, blend, state).filter(({ isApplied }) => isApplied);
  const end = { ...state };
  const squaredError = lossBackward(state, target, composite, 1 / (width * height), d);
  const dEnd = { ...d };
  const backward = forward.toReversed().map((step): UndoStep => {
    undoPixelState(state, step.place, step.blob, step.alpha, attenuation);
    // What is carried on, d, does not depend on T, so it is the same either way.
    const byKeeping = gradientAt(step, step.before, attenuation, { ...d });
    const byUndoing = gradientAt(step, state, attenuation, d);
    return { blend: step, undone: { ...state }, byKeeping, byUndoing };
  });
  return { forward, end, dEnd, squaredError, backward };
}

/** The walk without the blobs that have no α there, which change nothing either way. */
export function withoutHidden({ forward, backward, ...walk }: UndoWalk): UndoWalk {
  return {
    ...walk,
    forward: forward.filter(({ alpha }) => alpha > 0),
    backward: backward.filter(({ blend }) => blend.alpha > 0),
  };
}

function gradientAt({ blob, alpha }: BlendStep, before: PixelState, attenuation: number, d: PixelState): PixelGradient {
  const gradient = { ...blob } as BlobValues;
  const dAlpha = alphaBlendBackward(before, blob, alpha, attenuation, d, gradient);
  return { dColor: colorOf(gradient), dAlpha };
}
