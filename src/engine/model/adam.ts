import type { BiasCorrection } from "../config.js";

/** What Adam's averages are made with; the kernels hold those of `adamConstants`. */
export interface AdamConstants {
  beta1: number;
  beta2: number;
  epsilon: number;
}

/** Those of the kernels: β₁, β₂ and ε. */
export const adamConstants: AdamConstants = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/** What m and v are divided by at step t (counted from 1): 1 − β as in the original algorithm, or 1 − βᵗ. */
export function corrections(
  biasCorrection: BiasCorrection,
  t: number,
  { beta1, beta2 } = adamConstants,
): [number, number] {
  return biasCorrection === "constant" ? [1 - beta1, 1 - beta2] : [1 - beta1 ** t, 1 - beta2 ** t];
}

type FloatArray = Float32Array | Float64Array;

/**
 * One Adam step of every slot, in place. Twin of shaders/shared/updateBlobs.wgsl; Kingma and Ba, 2015.
 * @param rates η of each parameter of a blob
 * @param frozen not 0 for each blob that stays as it is; all learn if absent
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
