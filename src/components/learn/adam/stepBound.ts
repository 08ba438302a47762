import type { BiasCorrection } from "../../../engine/config.js";
import { type AdamConstants, adamConstants, corrections } from "../../../engine/model/adam.js";

/**
 * Returns an upper bound on Adam's step at step t, in units of η, for any gradients. By the Cauchy–Schwarz inequality
 * |m| ≤ (1 − β₁)/√(1 − β₂) · √(1 + r + … + rᵗ⁻¹) · √v with r = β₁²/β₂; m and v are then divided by their corrections.
 */
export function longestStep(correction: BiasCorrection, t: number, constants: AdamConstants = adamConstants): number {
  const { beta1, beta2 } = constants;
  const [first, second] = corrections(correction, t, constants);
  const ratio = beta1 ** 2 / beta2;
  const sum = ratio === 1 ? t : (1 - ratio ** t) / (1 - ratio);
  return (Math.sqrt(second) / first) * ((1 - beta1) / Math.sqrt(1 - beta2)) * Math.sqrt(sum);
}

/** Returns gradients after which step `length` reaches the bound: gᵢ ∝ (β₁/β₂) to the power of length − i. */
export function worstGradients(length: number, { beta1, beta2 }: AdamConstants = adamConstants): Float64Array {
  return Float64Array.from({ length }, (_, i) => (beta1 / beta2) ** (length - 1 - i));
}
