import { type AdamConstants, adamConstants, corrections } from "../../../engine/model/adam.js";
import { baseRates, scheduleAtStep } from "../../../engine/model/rates.js";
import { recordedSequence, type TrainedRun } from "./recordedTraining.js";
import { applyRule, isAdam, type Rule, type RuleSettings, rateOf, rules } from "./rules.js";

/** The state and the step of a rule at each training step. */
export type Replay = ReturnType<typeof replay>;

/** Settings of a replay. */
export interface ReplayOptions {
  rule: Rule;
  /** η at step t, counted from 1. */
  rateAt: (t: number) => number;
  constants: AdamConstants;
  /** Precision of the state between steps; float64 if absent. */
  precision?: Float32ArrayConstructor | Float64ArrayConstructor;
}

/**
 * Applies a rule to a sequence of gradients of one parameter.
 * @param start the raw parameter before the first step
 */
export function replay(
  gradients: ArrayLike<number>,
  start: number,
  { rule, rateAt, constants, precision = Float64Array }: ReplayOptions,
) {
  const newColumn = () => new Float64Array(gradients.length);
  const result = {
    /** Adam's running means, divided by their corrections; momentum's m. */
    first: newColumn(),
    second: newColumn(),
    divisors: [] as [number, number][],
    /** The change of the parameter in each step, and its value after it. */
    updates: newColumn(),
    parameters: newColumn(),
    /** m and v without correction. */
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

/** Returns the length of each of the first steps with a gradient that stays the same, in units of η. */
export function steadySteps(rule: Rule, gradient: number, steps: number): Float64Array {
  const gradients = new Float64Array(steps).fill(gradient);
  return replay(gradients, 0, { rule, rateAt: () => 1, constants: adamConstants }).updates.map(Math.abs);
}

/** Input of the rules. */
export interface ReplayInput {
  gradients: ArrayLike<number>;
  /** The raw parameter before the first step. */
  start: number;
  /** η of a rule at step t, counted from 1. */
  rateAt: (rule: Rule, t: number) => number;
}

/** Returns the gradients of a recorded parameter, with its learning rates. */
export function recordedInput(run: TrainedRun, kept: number, field: number, settings: RuleSettings): ReplayInput {
  const rateFactor = baseRates({ ...run.config, learningRate: 1 })[field];
  return {
    gradients: recordedSequence(run, "gradients", kept, field),
    start: run.parameters[0][field * run.kept.length + kept],
    rateAt: (rule, t) => rateOf(rule, settings) * rateFactor * scheduleAtStep(run.config, t),
  };
}

/** Replays the same input with each rule. */
export function replayAll({ gradients, start, rateAt }: ReplayInput, constants: AdamConstants): Record<Rule, Replay> {
  const result = rules.map((rule) => {
    return [rule, replay(gradients, start, { rule, rateAt: (t) => rateAt(rule, t), constants })];
  });
  return Object.fromEntries(result) as Record<Rule, Replay>;
}
