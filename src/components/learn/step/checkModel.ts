import { parameterCount } from "../../../engine/blobs.js";
import { type Compared, compareSlopes } from "./differences.js";

/** Disagreement that is allowed: that of differences in float64, or that of a backward pass in float32. */
export const checkTolerances = { float64: 1e-4, float32: 2e-3 };

/**
 * Compares a slot's gradient with its difference. What is small beside the largest gradient that any blob has of that
 * parameter is compared on the scale of a thousandth of it.
 */
export function compareSlot(
  gradients: ArrayLike<number>,
  slot: number,
  difference: number,
  precision: keyof typeof checkTolerances,
): Compared {
  const blobs = gradients.length / parameterCount;
  const first = Math.floor(slot / blobs) * blobs;
  let largest = 0;
  for (let i = first; i < first + blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
  // The second one only sets the scale.
  const [compared] = compareSlopes(
    [gradients[slot], largest],
    [difference, largest],
    [1, 1],
    checkTolerances[precision],
  );
  return compared;
}
