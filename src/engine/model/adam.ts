import type { BiasCorrection } from "../config.js";

/** Adam's constants. */
export interface AdamConstants {
  beta1: number;
  beta2: number;
  epsilon: number;
}

/** β₁, β₂ and ε of the kernels. */
export const adamConstants: AdamConstants = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/** Returns the divisors of m and v at step t, counted from 1: 1 − β as in the original algorithm, or 1 − βᵗ. */
export function corrections(
  biasCorrection: BiasCorrection,
  t: number,
  { beta1, beta2 } = adamConstants,
): [number, number] {
  return biasCorrection === "constant" ? [1 - beta1, 1 - beta2] : [1 - beta1 ** t, 1 - beta2 ** t];
}

type FloatArray = Float32Array | Float64Array;

/**
 * Takes one Adam step of every slot, in place. CPU reference of shaders/shared/updateBlobs.wgsl; Kingma and Ba, 2015.
 * @param rates η of each raw parameter
 * @param frozen nonzero for each blob that does not learn; all learn if absent
 */
export function updateBlobs(
  parameters: FloatArray,
  firstMoments: FloatArray,
  secondMoments: FloatArray,
  gradients: FloatArray,
  rates: ArrayLike<number>,
  [correction1, correction2]: [number, number],
  { beta1, beta2, epsilon } = adamConstants,
  frozen?: Uint8Array,
): void {
  const blobs = parameters.length / rates.length;
  for (let slot = 0; slot < parameters.length; slot++) {
    if (frozen?.[slot % blobs]) continue;
    const gradient = gradients[slot]; //@ adam.gradient
    const m = beta1 * firstMoments[slot] + (1 - beta1) * gradient; //@ adam.first
    const v = beta2 * secondMoments[slot] + (1 - beta2) * gradient * gradient; //@ adam.second
    firstMoments[slot] = m;
    secondMoments[slot] = v;
    const rate = rates[Math.floor(slot / blobs)]; //@ adam.rate
    parameters[slot] -= (rate / (Math.sqrt(v / correction2) + epsilon)) * (m / correction1); //@ adam.step adam.parameter
  }
}
