import { parameterCount } from "../../../engine/model/blobs.js";
import { ratesAt } from "../../../engine/model/rates.js";
import { indexOfLargest } from "../largest.js";
import { decodeParameter } from "./decodedParameter.js";
import type { TrainedRun } from "./recordedTraining.js";

/** A parameter of a recorded blob. */
export interface RecordedParameter {
  kept: number;
  field: number;
}

/** Returns the longest step of any parameter of a run, in units of η. */
export function findLongestStep(run: TrainedRun): RecordedParameter & { length: number; step: number } {
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

/** Returns notable parameters of a run, named by what they show. */
export function notableParameters(run: TrainedRun): (RecordedParameter & { name: string })[] {
  const { length } = run.kept;
  const topScoring = (name: string, score: (slot: number) => number) => {
    const scores = Array.from({ length: parameterCount * length }, (_, slot) => score(slot));
    const slot = indexOfLargest(scores);
    return scores[slot] > 0 ? [{ name, kept: slot % length, field: Math.floor(slot / length) }] : [];
  };
  const last = run.parameters.at(-1)!;
  const { kept, field } = findLongestStep(run);
  const limit = 0.8 * run.gradients.length;
  return [
    ...topScoring("largest change", (slot) => Math.abs(last[slot] - run.parameters[0][slot])),
    { name: "longest step", kept, field },
    ...topScoring("freezes", (slot) => frozenSteps(run, slot) * Number(frozenSteps(run, slot) < limit)),
    ...topScoring("most sign changes", (slot) => signChanges(run, slot)),
  ];
}

/** Returns the parameters that a run leaves where the decoded value is constant, so their gradient stays zero. */
export function frozenParameters({ config, image, kept, parameters }: TrainedRun): RecordedParameter[] {
  const last = parameters.at(-1)!;
  const all = Array.from(last, (_, slot) => ({ kept: slot % kept.length, field: Math.floor(slot / kept.length) }));
  return all.filter(({ field }, slot) => decodeParameter(config, image, field, last[slot]).slope === 0);
}

/** Returns the number of steps at the end with a gradient of exactly zero; 0 if it always was zero. */
export function frozenSteps({ gradients }: Pick<TrainedRun, "gradients">, slot: number): number {
  const last = gradients.findLastIndex((step) => step[slot] !== 0);
  return last < 0 ? 0 : gradients.length - 1 - last;
}

function signChanges({ gradients }: TrainedRun, slot: number): number {
  return gradients.reduce((changes, step, t) => changes + Number(t > 0 && step[slot] * gradients[t - 1][slot] < 0), 0);
}
