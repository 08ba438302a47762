import { hasEnded, type RunDescription, regionProgress } from "../engine/files/runDescription.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { Trainer } from "../engine/training/trainer.js";
import { Engines } from "../runs/engines.js";
import { Failure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { interruptible, stoppedExitCode } from "../terminal/interrupt.js";
import { noProgress, showProgress } from "../terminal/progress.js";

export interface VerifyOptions {
  retrain?: boolean;
  json?: boolean;
  quiet?: boolean;
}

interface Retrained {
  adapter: string;
  same: boolean;
  /**
   * Values in parameters.arrow, optimizer.arrow and the last record of gradients.arrow, and how many of them differ.
   */
  numbers: number;
  differing: number;
  largestDifference: number;
}

export async function verify(folder: string, { retrain: shouldRetrain, json, quiet }: VerifyOptions): Promise<void> {
  const { openRunFolder } = await import("../runs/runFolder.js");
  const run = await openRunFolder(folder);
  const { description } = run;
  const { step, config } = description;
  if (shouldRetrain && description.regions)
    throw new Failure(`${folder} was fitted in regions, and --retrain cannot train regions again.`);
  await readAllFiles(run);
  const files = Object.keys(description.files ?? {}).length;
  const retrained = shouldRetrain ? await retrain(run, quiet) : undefined;
  if (retrained && !retrained.same) process.exitCode = 1;
  if (json) {
    const facts = {
      run: folder,
      whole: true,
      step,
      steps: config.steps,
      ...(isUnfinished(description) && { unfinished: regionProgress(description.regions!) }),
      hashed: files,
      ...(retrained && { retrained }),
    };
    process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else if (!quiet) {
    const hashText = files > 0 ? `the SHA-256 of ${files} files matches run.json` : "run.json has no SHA-256";
    const retrainText = retrained ? `; ${describe(retrained)}` : "";
    const stateText = isUnfinished(description)
      ? `complete so far, ${regionProgress(description.regions!)}, continue with --resume`
      : `complete at step ${formatCount(step)} of ${formatCount(config.steps)}`;
    process.stdout.write(`${folder}: ${stateText}, ${hashText}${retrainText}\n`);
  }
}

/** Returns whether a run in regions is unfinished. Its tables and images are written only at the end. */
function isUnfinished(description: RunDescription): boolean {
  return description.regions !== undefined && !hasEnded(description);
}

/**
 * Reads all files of a run.
 * @throws Failure that names a file that is missing or damaged
 */
async function readAllFiles(run: RunRecord): Promise<void> {
  const { files, regions } = run.description;
  for (const name of Object.keys(files ?? {})) await run.file(name);
  if (isUnfinished(run.description)) return;
  const frames = run.film.map(frameFile);
  const absentFiles: string[] = regions ? [runFiles.gradients, runFiles.optimizer] : [];
  for (const name of Object.values(runFiles).filter((name) => !absentFiles.includes(name))) {
    if (files && name !== runFiles.description && !(name in files)) {
      throw run.source.refusal(`${runFiles.description} does not list ${name}.`);
    }
  }
  for (const name of [runFiles.render, runFiles.target, ...frames]) await run.image(name);
  await run.metrics();
  await run.parameters();
  if (regions) return;
  await run.target();
  await run.gradients();
  await run.state();
}

/** Trains a run again from the start, each segment with the step budget that it was trained with. */
async function retrain(run: RunRecord, quiet: boolean | undefined): Promise<Retrained> {
  const { config, step, horizon, earlier = [], goal } = run.description;
  if (goal?.kind === "seconds") {
    throw new Failure(`${run.name} was trained for a time limit, so it cannot be reproduced bit by bit.`);
  }
  const image = await run.target();
  const state = await run.state();
  const gradients = (await run.gradients()).at(-1)!.gradients;
  using engines = new Engines(true);
  const engine = await engines.engineFor(config.pipeline);
  using interrupt = interruptible();
  const progress = quiet ? noProgress : showProgress({ unit: "step", from: 0, until: step });
  try {
    let reached: { state?: TrainingState; gradients?: Float32Array } = {};
    for (const segment of [...earlier, { step, steps: config.steps, horizon }]) {
      const from = reached.state && { ...reached.state, plateau: undefined };
      const segmentConfig = engine.adaptConfig({ ...config, steps: segment.steps });
      const trainer = new Trainer(segmentConfig, image, engine.backend, from);
      for await (const snapshot of trainer.run({
        inspectAt: [segment.step],
        horizon: segment.horizon,
        signal: interrupt.signal,
      })) {
        progress.update(snapshot);
        if (snapshot.step === segment.step) reached = await trainer.inspect();
        if (snapshot.step >= segment.step) break;
      }
      if (interrupt.signal.aborted)
        throw new Failure("Stopped before the comparison.", stoppedExitCode(interrupt.signal));
      if (reached.state?.step !== segment.step)
        throw new Failure(`${run.name} was not trained with the settings in its run.json.`);
    }
    return compare(engine.backend.description, [state, gradients], [reached.state!, reached.gradients!]);
  } finally {
    progress.stop();
  }
}

type RunValues = [TrainingState, gradients: Float32Array];

function compare(adapter: string, [a, aGradients]: RunValues, [b, bGradients]: RunValues): Retrained {
  const pairs = [
    [a.parameters, b.parameters],
    [a.firstMoments, b.firstMoments],
    [a.secondMoments, b.secondMoments],
    [aGradients, bGradients],
  ];
  const differing = pairs.reduce((sum, [x, y]) => sum + x.reduce((n, value, i) => n + Number(value !== y[i]), 0), 0);
  const numbers = pairs.reduce((sum, [x]) => sum + x.length, 0);
  const largestDifference = a.parameters.reduce(
    (most, value, i) => Math.max(most, Math.abs(value - b.parameters[i])),
    0,
  );
  return { adapter, same: differing === 0, numbers, differing, largestDifference };
}

function describe({ adapter, same, numbers, differing, largestDifference }: Retrained): string {
  if (same) return `trained again on ${adapter}, all ${formatCount(numbers)} values are identical`;
  const most = `parameters by at most ${largestDifference.toPrecision(2)}`;
  return `trained again on ${adapter}, ${formatCount(differing)} of ${formatCount(numbers)} values differ, ${most}`;
}
