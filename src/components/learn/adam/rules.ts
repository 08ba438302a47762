import { type AdamConstants, corrections, updateBlobs } from "../../../engine/model/adam.js";
import { element, svg } from "../../page/element.js";

/** A rule by which raw parameters step: Adam with either bias correction, its first moment alone, or the gradient alone. */
export type Rule = "constant" | "exact" | "momentum" | "sgd";

/** All of them, in the order of every table and chart. */
export const rules: Rule[] = ["constant", "exact", "momentum", "sgd"];

/** What the reader can change of the rules. */
export interface RuleSettings extends AdamConstants {
  /** Adam's η, in raw units a step. */
  rate: number;
  /** η of momentum and of gradient descent, in raw units for a gradient of 1. */
  plainRate: number;
}

/** A rule's name in words. */
export const ruleNames: Record<Rule, string> = {
  constant: "Adam, constant correction",
  exact: "Adam, exact correction",
  momentum: "momentum",
  sgd: "gradient descent",
};

type Numbers = Float32Array | Float64Array;

/** Parameters, and what a rule remembers of each. */
export interface OptimizerState {
  parameters: Numbers;
  /** Adam's m; momentum's too. */
  firstMoments: Numbers;
  secondMoments: Numbers;
}

export function isAdam(rule: Rule): rule is "constant" | "exact" {
  return rule === "constant" || rule === "exact";
}

/** The η of a rule. */
export function rateOf(rule: Rule, { rate, plainRate }: RuleSettings): number {
  return isAdam(rule) ? rate : plainRate;
}

/**
 * One step of a rule, in place; Adam's is the engine's own.
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

/** How a rule's line looks: told apart by its dashes too, not by colour alone. */
export const ruleStyles: Record<Rule, { stroke: string; dash?: string }> = {
  constant: { stroke: "var(--run-1)" },
  exact: { stroke: "var(--run-2)", dash: "6 3" },
  momentum: { stroke: "var(--run-3)", dash: "2 3" },
  sgd: { stroke: "var(--run-4)", dash: "9 3 2 3" },
};

/** A rule's name behind a stroke as it is drawn. */
export function ruleSample(rule: Rule): HTMLElement {
  const { stroke, dash } = ruleStyles[rule];
  const line = svg("path", { d: "M1 4H29", stroke, "stroke-width": 2, "stroke-dasharray": dash });
  const sample = svg("svg", { width: 30, height: 8, "aria-hidden": true }, line);
  return element("span", { class: "rule-sample" }, sample, ` ${ruleNames[rule]}`);
}
