import type { AdamConstants } from "../../../engine/model/adam.js";
import { uniformGenerator } from "../../../engine/random.js";
import { worstGradients } from "./stepBound.js";

/** A typical gradient of the small job in its first steps. */
const magnitude = 1e-3;

function noise(length: number): Float64Array {
  const random = uniformGenerator(1);
  return Float64Array.from({ length }, () => magnitude * (2 * random() - 1));
}

/** Synthetic sequences of gradients, by name. */
export const syntheticInputs = new Map<string, (length: number, constants: AdamConstants) => Float64Array>([
  ["steady", (length) => new Float64Array(length).fill(magnitude)],
  // Uniform, of either sign.
  ["noise", noise],
  // One gradient half-way, and zeros.
  ["spike", (length) => new Float64Array(length).fill(magnitude, Math.floor(length / 2), Math.floor(length / 2) + 1)],
  ["alternating", (length) => Float64Array.from({ length }, (_, i) => (i % 2 === 0 ? magnitude : -magnitude))],
  // No other sequence makes the last step longer.
  ["worst case", (length, constants) => worstGradients(length, constants).map((g) => magnitude * g)],
]);
