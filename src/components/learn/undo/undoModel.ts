import {
  alphaBlendBackward,
  attenuationOf,
  lossBackward,
  type PixelState,
  undoPixelState,
} from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import { type BlendStep, blendSteps, colorOf, float32State, newPixelState, type PixelStack } from "../pixelStack.js";

/** Gradient of the loss with respect to a blob's colour and α at the pixel. */
export type PixelGradient = ReturnType<typeof gradientAt>;

/** Both passes over a pixel. */
export type UndoWalk = ReturnType<typeof undoWalk>;

/**
 * Blends a pixel's stack, and computes the gradients backward with cached states and with undone ones.
 * @param precision of the states
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
    // The adjoint d of the state does not depend on T, so both methods share it.
    const fromCached = gradientAt(step, step.before, attenuation, { ...d });
    const fromUndone = gradientAt(step, state, attenuation, d);
    return { blend: step, undone: { ...state }, fromCached, fromUndone };
  });
  /** `backward` has the last blob first, each with the cached and the undone state before it. */
  return { forward, end, dEnd, squaredError, backward };
}

/** Returns the walk without the blobs with α = 0, which change nothing. */
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
