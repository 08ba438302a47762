import { type AdamConstants, corrections, updateBlobs } from "../../../engine/cpu/adam.js";

/** A rule by which raw parameters step: Adam with either bias correction, its first moment alone, or the gradient alone. */
export type Rule = "constant" | "exact" | "momentum" | "sgd";

export const rules: Rule[] = ["constant", "exact", "momentum", "sgd"];

/** A rule's name in words. */
export const ruleNames: Record<Rule, string> = {
  constant: "Adam, constant correction",
  exact: "Adam, exact correction",
  momentum: "momentum alone",
  sgd: "gradient descent",
};

type Numbers = Float32Array | Float64Array;

/** Parameters, and what a rule remembers of each. */
export interface Slots {
  parameters: Numbers;
  /** Adam's m; momentum's too. */
  firstMoments: Numbers;
  secondMoments: Numbers;
}

export function isAdam(rule: Rule): rule is "constant" | "exact" {
  return rule === "constant" || rule === "exact";
}

/**
 * One step of a rule, in place; Adam's is the engine's own.
 * @param t counted from 1
 * @param rates η of each parameter of a blob
 */
export function applyRule(
  rule: Rule,
  t: number,
  slots: Slots,
  gradients: Numbers,
  rates: ArrayLike<number>,
  constants: AdamConstants,
): void {
  const { parameters, firstMoments, secondMoments } = slots;
  if (isAdam(rule)) {
    const divisors = corrections(rule, t, constants);
    updateBlobs(parameters, firstMoments, secondMoments, gradients, rates, divisors, constants);
    return;
  }
  const { beta1 } = constants;
  const blobs = parameters.length / rates.length;
  for (let slot = 0; slot < parameters.length; slot++) {
    const rate = rates[Math.floor(slot / blobs)];
    firstMoments[slot] = beta1 * firstMoments[slot] + (1 - beta1) * gradients[slot];
    parameters[slot] -= rate * (rule === "momentum" ? firstMoments[slot] : gradients[slot]);
  }
}
