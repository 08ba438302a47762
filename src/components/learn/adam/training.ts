import { parameterCount, type TrainingState } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import { type AdamConstants, adamConstants } from "../../../engine/cpu/adam.js";
import type { Image } from "../../../engine/image.js";
import { initialState } from "../../../engine/initialState.js";
import type { Backend } from "../../../engine/pipeline.js";
import { ratesAt } from "../../../engine/rates.js";
import { applyRule, isAdam, type Rule } from "./rules.js";

/** Blobs whose parameters are kept of each step, at most. */
const mostKept = 1000;

/** A training run by some rule, step by step. */
export interface TrainedRun {
  rule: Rule;
  config: TrainConfig;
  image: Image;
  /** The indices of the blobs that are kept. */
  kept: number[];
  /** Nine raw parameters of each kept blob, field-major: before the first step, then behind each. */
  parameters: Float32Array[];
  /** dL/draw of each step, at the parameters before it. */
  gradients: Float32Array[];
  /** The loss of the same. */
  losses: number[];
  /** Whether the pipeline's own update took the steps; otherwise this thread did. */
  isOwnUpdate: boolean;
}

export interface TrainingOrder {
  rule: Rule;
  /** The job; its learning rate is the rule's η. */
  config: TrainConfig;
  image: Image;
  steps: number;
  constants?: AdamConstants;
}

/** Whether the constants are those that the kernels hold. */
export function isShipped({ beta1, beta2, epsilon }: AdamConstants): boolean {
  const { beta1: b1, beta2: b2, epsilon: e } = adamConstants;
  return beta1 === b1 && beta2 === b2 && epsilon === e;
}

/** Of the kept blobs alone. */
function partOf(all: Float32Array, kept: readonly number[]): Float32Array {
  const blobs = all.length / parameterCount;
  const part = new Float32Array(parameterCount * kept.length);
  for (let field = 0; field < parameterCount; field++) {
    for (const [at, blob] of kept.entries()) part[field * kept.length + at] = all[field * blobs + blob];
  }
  return part;
}

/**
 * Trains a job for some steps by a rule, and keeps every step. Where the rule is Adam as the pipelines have it, the
 * pipeline takes the steps; otherwise it computes the gradients, and the rule steps here.
 * @param told called after each step with the run as far as it is
 * @returns the run; shorter than asked for where `signal` aborted
 */
export async function trainByRule(
  backend: Backend,
  { rule, config, image, steps, constants = adamConstants }: TrainingOrder,
  signal: AbortSignal,
  told: (run: TrainedRun) => void = () => {},
): Promise<TrainedRun> {
  const isOwnUpdate = isAdam(rule) && isShipped(constants);
  const job: TrainConfig = isAdam(rule) ? { ...config, biasCorrection: rule } : config;
  const stride = Math.max(1, Math.ceil(config.blobs / mostKept));
  const kept = Array.from({ length: Math.ceil(config.blobs / stride) }, (_, at) => at * stride);
  const start = initialState(job, image);
  const run: TrainedRun = { rule, config: job, image, kept, parameters: [], gradients: [], losses: [], isOwnUpdate };
  run.parameters.push(partOf(start.parameters, kept));
  const pipeline = await backend.open(job, image, start);
  try {
    const slots: Omit<TrainingState, "step"> = {
      parameters: start.parameters.slice(),
      firstMoments: start.firstMoments.slice(),
      secondMoments: start.secondMoments.slice(),
    };
    for (let t = 1; t <= steps && !signal.aborted; t++) {
      let gradients: Float32Array;
      if (isOwnUpdate) {
        await pipeline.advance(1);
        gradients = await pipeline.gradients();
        slots.parameters = (await pipeline.state()).parameters;
      } else {
        gradients = await pipeline.computeGradients();
        applyRule(rule, t, slots, gradients, ratesAt(job, t), constants);
        const state: TrainingState = { step: t, ...slots };
        await pipeline.load(state);
      }
      const { loss } = await pipeline.statistics();
      run.gradients.push(partOf(gradients, kept));
      run.parameters.push(partOf(slots.parameters, kept));
      run.losses.push(loss);
      told(run);
    }
    return run;
  } finally {
    await pipeline.free();
  }
}

/** A parameter of a kept blob over the steps of a run. */
export function sequenceOf(run: TrainedRun, of: "gradients" | "parameters", kept: number, field: number): Float32Array {
  return Float32Array.from(run[of], (step) => step[field * run.kept.length + kept]);
}

/** The longest step that a parameter of a run took, in units of η. */
export interface LongestStep {
  length: number;
  step: number;
  kept: number;
  field: number;
}

const longestSteps = new WeakMap<TrainedRun, LongestStep>();
const remarkables = new WeakMap<TrainedRun, Remarkable[]>();

/** The longest step of a run that is done. */
export function longestOf(run: TrainedRun): LongestStep {
  const known = longestSteps.get(run) ?? findLongest(run);
  longestSteps.set(run, known);
  return known;
}

function findLongest(run: TrainedRun): LongestStep {
  let longest = { length: 0, step: 0, kept: 0, field: 0 };
  const { length } = run.kept;
  for (let t = 1; t < run.parameters.length; t++) {
    const rates = ratesAt(run.config, t);
    const [before, after] = [run.parameters[t - 1], run.parameters[t]];
    for (let slot = 0; slot < after.length; slot++) {
      const field = Math.floor(slot / length);
      const step = Math.abs(after[slot] - before[slot]) / rates[field];
      if (step > longest.length) longest = { length: step, step: t, kept: slot % length, field };
    }
  }
  return longest;
}

/** A parameter that is worth a look, and why. */
export interface Remarkable {
  name: string;
  kept: number;
  field: number;
}

/** Parameters of a run that is done which show something, each found by what it does. */
export function remarkable(run: TrainedRun): Remarkable[] {
  const known = remarkables.get(run) ?? findRemarkable(run);
  remarkables.set(run, known);
  return known;
}

function findRemarkable(run: TrainedRun): Remarkable[] {
  const { length } = run.kept;
  const steps = run.gradients.length;
  const slots = parameterCount * length;
  const best = (score: (slot: number) => number) => {
    let at = -1;
    let most = 0;
    for (let slot = 0; slot < slots; slot++) {
      const value = score(slot);
      if (value > most) [at, most] = [slot, value];
    }
    return at;
  };
  const last = run.parameters.length - 1;
  const found: [name: string, slot: number][] = [
    ["the one that moves farthest", best((slot) => Math.abs(run.parameters[last][slot] - run.parameters[0][slot]))],
    ["the one with the longest step", longestSlot(run)],
    ["one that freezes", best((slot) => frozenFor(run, slot) * Number(frozenFor(run, slot) < 0.8 * steps))],
    ["the one that turns most often", best((slot) => turns(run, slot))],
  ];
  return found
    .filter(([, slot]) => slot >= 0)
    .map(([name, slot]) => ({ name, kept: slot % length, field: Math.floor(slot / length) }));
}

function longestSlot(run: TrainedRun): number {
  const { kept, field } = longestOf(run);
  return field * run.kept.length + kept;
}

/** For how many steps at the end the gradient is exactly zero; 0 if it never was anything else. */
export function frozenFor(run: Pick<TrainedRun, "gradients">, slot: number): number {
  const { length } = run.gradients;
  let steps = 0;
  while (steps < length && run.gradients[length - 1 - steps][slot] === 0) steps++;
  return steps === length ? 0 : steps;
}

/** How often the gradient changes its sign. */
function turns(run: TrainedRun, slot: number): number {
  let count = 0;
  for (let t = 1; t < run.gradients.length; t++) {
    if (run.gradients[t][slot] * run.gradients[t - 1][slot] < 0) count++;
  }
  return count;
}
