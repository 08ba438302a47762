import { alphaBlend } from "../../../engine/model/blend.js";
import type { BlobValues } from "../../../engine/model/blob.js";
import { newPixelState } from "./pixelStack.js";

/** A layer of a stack: its colour, 0..1, and the fraction of what is behind it that it covers. */
export interface Layer {
  color: number[];
  alpha: number;
}

/**
 * Blends a stack in both orders. Returns the states before the first layer and after each, front to back; the background
 * and the colour after each layer, back to front; and both results.
 * @param layers front to back
 */
export function blendBothOrders(layers: readonly Layer[], background: readonly number[]) {
  const state = newPixelState();
  const forward = [{ ...state }];
  for (const { color, alpha } of layers) {
    const [red, green, blue] = color;
    alphaBlend(state, { red, green, blue } as BlobValues, alpha, 1);
    forward.push({ ...state });
  }
  const backward = [[...background]];
  for (const { color, alpha } of layers.toReversed()) {
    backward.push(backward.at(-1)!.map((behind, channel) => alpha * color[channel] + (1 - alpha) * behind));
  }
  const { red, green, blue, transmittance } = state;
  const fromFront = [red, green, blue].map((c, channel) => c + transmittance * background[channel]);
  return { forward, backward, fromFront, fromBack: backward.at(-1)! };
}
