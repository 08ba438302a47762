import { alphaBlend, type PixelState } from "../../../engine/cpu/blend.js";
import type { BlobValues } from "../../../engine/cpu/blob.js";
import { copyState, newPixelState } from "./pixelStack.js";

/** A layer in a stack: its colour of 0..1, and how much of what is behind it it hides. */
export interface Layer {
  color: [red: number, green: number, blue: number];
  alpha: number;
}

/** A stack from both of its ends. */
export interface BothWays {
  /** The state before the first layer and after each, front to back. */
  forward: PixelState[];
  /** The background, and the colour after each layer, back to front. */
  backward: number[][];
  /** C + T · background after the last layer: what the way from the front comes to. */
  fromFront: number[];
  fromBack: number[];
}

/** @param layers front to back */
export function bothWays(layers: readonly Layer[], background: readonly number[]): BothWays {
  const state = newPixelState();
  const forward = [copyState(state)];
  for (const { color, alpha } of layers) {
    const [red, green, blue] = color;
    alphaBlend(state, { red, green, blue } as BlobValues, alpha, 1);
    forward.push(copyState(state));
  }
  const backward = [[...background]];
  for (const { color, alpha } of layers.toReversed()) {
    const behind = backward[backward.length - 1];
    backward.push(color.map((c, channel) => alpha * c + (1 - alpha) * behind[channel]));
  }
  const { red, green, blue, transmittance } = state;
  return {
    forward,
    backward,
    fromFront: [red, green, blue].map((c, channel) => c + transmittance * background[channel]),
    fromBack: backward[backward.length - 1],
  };
}
