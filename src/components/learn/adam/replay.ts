import { type AdamConstants, corrections } from "../../../engine/model/adam.js";
import { baseRates, scheduleAtStep } from "../../../engine/model/rates.js";
import { recordedSequence, type TrainedRun } from "./recordedTraining.js";
import { applyRule, isAdam, type Rule, type RuleSettings, rateOf, rules } from "./rules.js";

/** What a rule made of a parameter at each step, the first one first. */
export type Replay = ReturnType<typeof replay>;

/** How a parameter is stepped. */
export interface ReplayOptions {
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
  { rule, rateAt, constants, precision = Float64Array }: ReplayOptions,
) {
  const newColumn = () => new Float64Array(gradients.length);
  const result = {
    /** Adam's averages, divided by their corrections; momentum's m as it is. */
    first: newColumn(),
    second: newColumn(),
    divisors: [] as [number, number][],
    /** What was added to the parameter, and what it is behind each step. */
    updates: newColumn(),
    parameters: newColumn(),
    /** m and v as they are kept. */
    moments: { first: newColumn(), second: newColumn() },
  };
  const { moments } = result;
  const state = { parameters: precision.of(start), firstMoments: new precision(1), secondMoments: new precision(1) };
  for (let i = 0; i < gradients.length; i++) {
    const before = state.parameters[0];
    applyRule(rule, i + 1, state, precision.of(gradients[i]), [rateAt(i + 1)], constants);
    const divisors: [number, number] = isAdam(rule) ? corrections(rule, i + 1, constants) : [1, 1];
    result.divisors.push(divisors);
    [moments.first[i], moments.second[i]] = [state.firstMoments[0], state.secondMoments[0]];
    [result.first[i], result.second[i]] = [moments.first[i] / divisors[0], moments.second[i] / divisors[1]];
    result.parameters[i] = state.parameters[0];
    result.updates[i] = state.parameters[0] - before;
  }
  return result;
}

/** What the rules are fed with. */
export interface ReplayInput {
  gradients: ArrayLike<number>;
  /** The raw parameter before the first step. */
  start: number;
  /** η of a rule at step t, counted from 1. */
  rateAt: (rule: Rule, t: number) => number;
}

/** The gradients of a recorded parameter, with the rates that it has there. */
export function recordedInput(run: TrainedRun, kept: number, field: number, settings: RuleSettings): ReplayInput {
  const rateFactor = baseRates({ ...run.config, learningRate: 1 })[field];
  return {
    gradients: recordedSequence(run, "gradients", kept, field),
    start: run.parameters[0][field * run.kept.length + kept],
    rateAt: (rule, t) => rateOf(rule, settings) * rateFactor * scheduleAtStep(run.config, t),
  };
}

/** What each rule makes of the same. */
export function replayAll({ gradients, start, rateAt }: ReplayInput, constants: AdamConstants): Record<Rule, Replay> {
  const result = rules.map((rule) => {
    return [rule, replay(gradients, start, { rule, rateAt: (t) => rateAt(rule, t), constants })];
  });
  return Object.fromEntries(result) as Record<Rule, Replay>;
}
