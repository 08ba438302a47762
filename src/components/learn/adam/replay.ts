import { type AdamConstants, corrections } from "../../../engine/model/adam.js";
import { baseRates, scheduleAtStep } from "../../../engine/model/rates.js";
import { applyRule, isAdam, type Rule, type RuleSettings, rateOf, rules } from "./rules.js";
import { sequenceOf, type TrainedRun } from "./training.js";

/** What a rule made of a parameter at each step, the first one first. */
export type Replay = ReturnType<typeof replay>;

/** How a parameter is stepped. */
export interface Stepping {
  rule: Rule;
  /** η at step t, counted from 1. */
  rateAt: (t: number) => number;
  constants: AdamConstants;
  /** How numbers are kept between steps; float64 if absent. */
  precision?: Float32ArrayConstructor | Float64ArrayConstructor;
}

/**
 * Feeds a sequence of gradients of one parameter into a rule.
 * @param start the raw parameter before the first step
 */
export function replay(
  gradients: ArrayLike<number>,
  start: number,
  { rule, rateAt, constants, precision = Float64Array }: Stepping,
) {
  const column = () => new Float64Array(gradients.length);
  const made = {
    /** Adam's averages, divided by their corrections; momentum's m as it is. */
    first: column(),
    second: column(),
    divisors: [] as [number, number][],
    /** What was added to the parameter, and what it is behind each step. */
    updates: column(),
    parameters: column(),
    /** m and v as they are kept. */
    moments: { first: column(), second: column() },
  };
  const { moments } = made;
  const slots = { parameters: precision.of(start), firstMoments: new precision(1), secondMoments: new precision(1) };
  for (let i = 0; i < gradients.length; i++) {
    const before = slots.parameters[0];
    applyRule(rule, i + 1, slots, precision.of(gradients[i]), [rateAt(i + 1)], constants);
    const divisors: [number, number] = isAdam(rule) ? corrections(rule, i + 1, constants) : [1, 1];
    made.divisors.push(divisors);
    [moments.first[i], moments.second[i]] = [slots.firstMoments[0], slots.secondMoments[0]];
    [made.first[i], made.second[i]] = [moments.first[i] / divisors[0], moments.second[i] / divisors[1]];
    made.parameters[i] = slots.parameters[0];
    made.updates[i] = slots.parameters[0] - before;
  }
  return made;
}

/** What the rules are fed with. */
export interface AdamInput {
  gradients: ArrayLike<number>;
  /** The raw parameter before the first step. */
  start: number;
  /** η of a rule at step t, counted from 1. */
  rateAt: (rule: Rule, t: number) => number;
}

/** The gradients of a recorded parameter, with the rates that it has there. */
export function recordedInput(run: TrainedRun, kept: number, field: number, settings: RuleSettings): AdamInput {
  const multiple = baseRates({ ...run.config, learningRate: 1 })[field];
  return {
    gradients: sequenceOf(run, "gradients", kept, field),
    start: run.parameters[0][field * run.kept.length + kept],
    rateAt: (rule, t) => rateOf(rule, settings) * multiple * scheduleAtStep(run.config, t),
  };
}

/** What each rule makes of the same. */
export function replayAll({ gradients, start, rateAt }: AdamInput, constants: AdamConstants): Record<Rule, Replay> {
  const made = rules.map((rule) => {
    return [rule, replay(gradients, start, { rule, rateAt: (t) => rateAt(rule, t), constants })];
  });
  return Object.fromEntries(made) as Record<Rule, Replay>;
}
