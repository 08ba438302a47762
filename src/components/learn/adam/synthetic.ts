import type { AdamConstants } from "../../../engine/model/adam.js";
import { uniformGenerator } from "../../../engine/random.js";
import { worstGradients } from "./stepBound.js";

/** As large as many a gradient of the small job is in its first steps. */
const magnitude = 1e-3;

function noise(length: number): Float64Array {
  const random = uniformGenerator(1);
  return Float64Array.from({ length }, () => magnitude * (2 * random() - 1));
}

/** Gradients that no picture gave: sequences that show what a rule does, by their names. */
export const syntheticInputs = new Map<string, (length: number, constants: AdamConstants) => Float64Array>([
  // The same gradient at every step.
  ["steady", (length) => new Float64Array(length).fill(magnitude)],
  // Gradients of either sign, evenly spread, which cancel in the long run.
  ["noise", noise],
  // One gradient half-way, and none before or after.
  ["spike", (length) => new Float64Array(length).fill(magnitude, Math.floor(length / 2), Math.floor(length / 2) + 1)],
  // The sign changes at every step.
  ["alternating", (length) => Float64Array.from({ length }, (_, i) => (i % 2 === 0 ? magnitude : -magnitude))],
  // Gradients that grow by β₂/β₁ a step: no other sequence makes the last step longer.
  ["worst case", (length, constants) => worstGradients(length, constants).map((g) => magnitude * g)],
]);
