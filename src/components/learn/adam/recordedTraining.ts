import type { TrainConfig } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import { type AdamConstants, adamConstants } from "../../../engine/model/adam.js";
import { parameterCount, rawNames, type TrainingState } from "../../../engine/model/blobs.js";
import { ratesAt } from "../../../engine/model/rates.js";
import type { Backend } from "../../../engine/pipeline.js";
import { initialState } from "../../../engine/training/initialState.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { announce } from "../../page/element.js";
import { count } from "../../page/format.js";
import { failureText } from "../../page/help.js";
import type { Run } from "../../training/run.js";
import { applyRule, isAdam, type Rule, type RuleSettings, rateOf, ruleNames, rules } from "./rules.js";

/** Blobs with recorded parameters, at most. */
const maxRecordedBlobs = 1000;

/** A training run with an update rule, recorded step by step. */
export interface TrainedRun {
  rule: Rule;
  config: TrainConfig;
  image: Image;
  /** Indices of the recorded blobs. */
  kept: number[];
  /** Nine raw parameters of each recorded blob, field-major: before the first step, then after each. */
  parameters: Float32Array[];
  /** dL/draw at each step, at the parameters before it. */
  gradients: Float32Array[];
  losses: number[];
  /** Whether the pipeline updated the parameters; otherwise this thread did. */
  isPipelineUpdate: boolean;
}

/** A job to record; `config.learningRate` is η of the rule. */
export type TrainingTask = Pick<TrainedRun, "rule" | "config" | "image"> & {
  steps: number;
  constants?: AdamConstants;
};

/** Returns whether the constants are those in the kernels. */
export function hasKernelConstants({ beta1, beta2, epsilon }: AdamConstants): boolean {
  const { beta1: b1, beta2: b2, epsilon: e } = adamConstants;
  return beta1 === b1 && beta2 === b2 && epsilon === e;
}

function selectBlobs(values: Float32Array, kept: readonly number[]): Float32Array {
  const blobs = values.length / parameterCount;
  return Float32Array.from({ length: parameterCount * kept.length }, (_, slot) => {
    return values[Math.floor(slot / kept.length) * blobs + kept[slot % kept.length]];
  });
}

/**
 * Trains a job with a rule and records every step. If the rule is Adam with the constants of the kernels, the pipeline
 * updates the parameters; otherwise it computes the gradients, and the update runs here. Yields the same run every 25
 * steps and at the end; breaking the loop ends the training.
 */
export async function* trainByRule(
  backend: Backend,
  { rule, config, image, steps, constants = adamConstants }: TrainingTask,
): AsyncGenerator<TrainedRun, void> {
  const isPipelineUpdate = isAdam(rule) && hasKernelConstants(constants);
  const job: TrainConfig = isAdam(rule) ? { ...config, biasCorrection: rule } : config;
  const stride = Math.max(1, Math.ceil(config.blobs / maxRecordedBlobs));
  const kept = Array.from({ length: Math.ceil(config.blobs / stride) }, (_, index) => index * stride);
  const start = initialState(job, image);
  const run: TrainedRun = {
    rule,
    config: job,
    image,
    kept,
    parameters: [],
    gradients: [],
    losses: [],
    isPipelineUpdate,
  };
  run.parameters.push(selectBlobs(start.parameters, kept));
  const pipeline = await backend.open(job, image, start);
  try {
    const state: Omit<TrainingState, "step"> = {
      parameters: start.parameters.slice(),
      firstMoments: start.firstMoments.slice(),
      secondMoments: start.secondMoments.slice(),
    };
    for (let t = 1; t <= steps; t++) {
      let gradients: Float32Array;
      if (isPipelineUpdate) {
        await pipeline.advance(1);
        gradients = await pipeline.gradients();
        state.parameters = (await pipeline.state()).parameters;
      } else {
        gradients = await pipeline.computeGradients();
        applyRule(rule, t, state, gradients, ratesAt(job, t), constants);
        await pipeline.load({ step: t, ...state });
      }
      run.gradients.push(selectBlobs(gradients, kept));
      run.parameters.push(selectBlobs(state.parameters, kept));
      run.losses.push((await pipeline.statistics()).loss);
      if (t % 25 === 0 || t === steps) yield run;
    }
  } finally {
    await pipeline.free();
  }
}

const recordedSteps: Record<BrowserEngine["kind"], number> = { gpu: 300, software: 200, cpu: 200 };

/**
 * Records the job of a run from its first step.
 * @param statusLine shows the progress, and the error if it fails
 * @returns a promise that stays pending after an error or invalidation
 */
export async function recordRun(
  engine: BrowserEngine,
  { config, target, adapter }: Run,
  invalidation: Promise<unknown>,
  statusLine: HTMLElement,
): Promise<TrainedRun> {
  let isActive = true;
  void invalidation.then(() => (isActive = false));
  const steps = Math.min(recordedSteps[engine.kind], config.steps);
  const task = { rule: config.biasCorrection, config, image: target.image, steps };
  announce(statusLine, "Recording a run of this job from its first step.", true);
  try {
    for await (const run of trainByRule(engine.backend(config.pipeline), task)) {
      if (!isActive) break;
      if (run.losses.length === steps) {
        announce(statusLine, `Recorded ${steps} steps of ${config.blobs} blobs on ${adapter}.`, true);
        return run;
      }
      announce(statusLine, `Recorded step ${run.losses.length} of ${steps}.`, false);
    }
  } catch (error) {
    statusLine.ariaLive = "polite";
    statusLine.replaceChildren(failureText("The run could not be recorded", error as Error));
  }
  return new Promise(() => {});
}

/** Trains the job of a recorded run with all rules from the same start; yields the runs and the progress. */
export async function* trainByEveryRule(
  engine: BrowserEngine,
  base: TrainedRun,
  settings: RuleSettings,
): AsyncGenerator<{ runs: TrainedRun[]; message: string | Node; isOver: boolean }, void> {
  const { image, gradients } = base;
  const steps = gradients.length;
  const runs: TrainedRun[] = [];
  try {
    for (const rule of rules) {
      const config = { ...base.config, learningRate: rateOf(rule, settings) };
      // With unchanged settings, the recorded run is one of the four.
      if (rule === base.rule && settings.rate === base.config.learningRate && hasKernelConstants(settings))
        runs.push(base);
      else {
        const index = runs.length;
        const task = { rule, config, image, steps, constants: settings };
        for await (const run of trainByRule(engine.backend(config.pipeline), task)) {
          runs[index] = run;
          yield { runs, message: `${ruleNames[rule]}: step ${run.losses.length} of ${steps}.`, isOver: false };
        }
      }
    }
  } catch (error) {
    return yield { runs, message: failureText("The runs could not be trained", error as Error), isOver: true };
  }
  const pageRules = runs.filter(({ isPipelineUpdate }) => !isPipelineUpdate).map(({ rule }) => ruleNames[rule]);
  const pipelineNote = pageRules.length < rules.length ? "The pipeline took Adam’s steps; " : "";
  const pageNote = `in ${pageRules.join(" and ")} the pipeline computed the gradients, and this page took the steps.`;
  yield { runs, message: `${steps} steps each, from the same start. ${pipelineNote}${pageNote}`, isOver: true };
}

/** Returns a gradient or parameter of a recorded blob over the steps of a run. */
export function recordedSequence(
  run: TrainedRun,
  quantity: "gradients" | "parameters",
  kept: number,
  field: number,
): Float32Array {
  return Float32Array.from(run[quantity], (step) => step[field * run.kept.length + kept]);
}

/** Returns the name of a recorded parameter: "centre x of blob 7". */
export function parameterName({ config, kept }: TrainedRun, index: number, field: number): string {
  return `${rawNames(config.parameterization)[field].replaceAll("_", " ")} of blob ${count(kept[index])}`;
}
