import { html, svg } from "htl";
import { type AdamConstants, corrections, updateBlobs } from "../../../engine/model/adam.js";

/** An update rule: Adam with either bias correction, momentum (its first moment alone), or gradient descent. */
export type Rule = "constant" | "exact" | "momentum" | "sgd";

/** All rules, in the order of tables and charts. */
export const rules: Rule[] = ["constant", "exact", "momentum", "sgd"];

/** The reader's settings of the rules. */
export interface RuleSettings extends AdamConstants {
  /** η of Adam, in raw units per step. */
  rate: number;
  /** η of momentum and gradient descent, in raw units for a gradient of 1. */
  plainRate: number;
}

/** Names of the rules. */
export const ruleNames: Record<Rule, string> = {
  constant: "Adam, constant correction",
  exact: "Adam, exact correction",
  momentum: "momentum",
  sgd: "gradient descent",
};

type Numbers = Float32Array | Float64Array;

/** Parameters, and the state of a rule for each. */
export interface OptimizerState {
  parameters: Numbers;
  /** m of Adam and momentum. */
  firstMoments: Numbers;
  secondMoments: Numbers;
}

export function isAdam(rule: Rule): rule is "constant" | "exact" {
  return rule === "constant" || rule === "exact";
}

/** Returns η of a rule. */
export function rateOf(rule: Rule, { rate, plainRate }: RuleSettings): number {
  return isAdam(rule) ? rate : plainRate;
}

/**
 * Applies one step of a rule in place, for Adam with the engine's own update.
 * @param t counted from 1
 * @param rates η of each parameter of a blob
 */
export function applyRule(
  rule: Rule,
  t: number,
  state: OptimizerState,
  gradients: Numbers,
  rates: ArrayLike<number>,
  constants: AdamConstants,
): void {
  const { parameters, firstMoments, secondMoments } = state;
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

/** Lines of the rules in charts, distinguished by colour and dashes. */
export const ruleStyles: Record<Rule, { stroke: string; dash?: string }> = {
  constant: { stroke: "var(--run-1)" },
  exact: { stroke: "var(--run-2)", dash: "6 3" },
  momentum: { stroke: "var(--run-3)", dash: "2 3" },
  sgd: { stroke: "var(--run-4)", dash: "9 3 2 3" },
};

/** Returns the legend entry of a rule. */
export function ruleSample(rule: Rule): HTMLElement {
  const { stroke, dash } = ruleStyles[rule];
  const line = svg`<path d="M1 4H29" stroke=${stroke} stroke-width="2" stroke-dasharray=${dash} />`;
  const sample = svg`<svg width="30" height="8" aria-hidden="true">${line}</svg>`;
  return html`<span class="rule-sample">${sample} ${ruleNames[rule]}</span>`;
}
