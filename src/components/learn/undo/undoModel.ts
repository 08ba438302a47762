import {
  alphaBlendBackward,
  attenuationOf,
  lossBackward,
  type PixelState,
  undoPixelState,
} from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import {
  type BlendStep,
  blendSteps,
  colorOf,
  float32State,
  newPixelState,
  type PixelStack,
} from "../blending/pixelStack.js";

/** A gradient of the loss with respect to what a blob is at the pixel. */
export type PixelGradient = ReturnType<typeof gradientAt>;

/** A pixel forward and back. */
export type UndoWalk = ReturnType<typeof undoWalk>;

/**
 * Takes a pixel through its stack, and back in both ways.
 * @param precision what numbers its states are kept in
 */
export function undoWalk({ scene, blobs, target }: PixelStack, precision: "float32" | "float64") {
  const { blend, background } = scene.config;
  const { width, height } = scene.target;
  const attenuation = attenuationOf(blend);
  const [round, newState] =
    precision === "float32" ? [Math.fround, float32State] : [(alpha: number) => alpha, newPixelState];
  const [state, d] = [newState(), newState()];
  const entries = blobs.map((entry) => ({ ...entry, alpha: round(entry.alpha) }));
  const forward = blendSteps(entries, blend, state).filter(({ isApplied }) => isApplied);
  const end = { ...state };
  const squaredError = lossBackward(state, target, background, 1 / (width * height), d);
  const dEnd = { ...d };
  const backward = forward.toReversed().map((step) => {
    undoPixelState(state, step.position, step.blob, step.alpha, attenuation);
    // What is carried on, d, does not depend on T, so it is the same either way.
    const byKeeping = gradientAt(step, step.before, attenuation, { ...d });
    const byUndoing = gradientAt(step, state, attenuation, d);
    return { blend: step, undone: { ...state }, byKeeping, byUndoing };
  });
  /** `backward` has the last blob first, each with the state before it, as it was kept and as it is reconstructed. */
  return { forward, end, dEnd, squaredError, backward };
}

/** The walk without the blobs that have no α there, which change nothing either way. */
export function withoutTransparent({ forward, backward, ...walk }: UndoWalk): UndoWalk {
  return {
    ...walk,
    forward: forward.filter(({ alpha }) => alpha > 0),
    backward: backward.filter(({ blend }) => blend.alpha > 0),
  };
}

function gradientAt({ blob, alpha }: BlendStep, before: PixelState, attenuation: number, d: PixelState) {
  const gradient = { ...blob } as BlobValues;
  const dAlpha = alphaBlendBackward(before, blob, alpha, attenuation, d, gradient);
  return { dColor: colorOf(gradient), dAlpha };
}
