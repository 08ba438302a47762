import { hasEnded, type RunDescription, regionsDone } from "../engine/files/runDescription.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { Trainer } from "../engine/training/trainer.js";
import { Engines } from "../runs/engines.js";
import { Failure } from "../terminal/failure.js";
import { interruptible } from "../terminal/interrupt.js";
import { showProgress, silence } from "../terminal/progress.js";

export interface VerifyOptions {
  retrain?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** What training a run again came to. */
interface Retrained {
  adapter: string;
  same: boolean;
  /** Numbers of parameters.arrow, optimizer.arrow and the last of gradients.arrow, and how many of them differ. */
  numbers: number;
  differing: number;
  /** Between two raw parameters. */
  largestDifference: number;
}

export async function verify(folder: string, { retrain: again, json, quiet }: VerifyOptions): Promise<void> {
  const { openRunFolder } = await import("../runs/runFolder.js");
  const run = await openRunFolder(folder);
  const { description } = run;
  const { step, config } = description;
  if (again && description.regions) throw new Failure(`${folder} was fitted by regions, which are not trained again.`);
  await readWhole(run);
  const files = Object.keys(description.files ?? {}).length;
  const retrained = again ? await retrain(run, quiet) : undefined;
  if (retrained && !retrained.same) process.exitCode = 1;
  if (json) {
    const facts = {
      run: folder,
      whole: true,
      step,
      steps: config.steps,
      ...(isUnfinished(description) && { unfinished: regionsDone(description.regions!) }),
      hashed: files,
      ...(retrained && { retrained }),
    };
    process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else if (!quiet) {
    const known = files > 0 ? `${files} files with the SHA-256 that run.json tells` : "but run.json tells no SHA-256";
    const came = retrained ? `; ${describe(retrained)}` : "";
    const at = isUnfinished(description)
      ? `has not ended, go on with --resume; whole with ${regionsDone(description.regions!)}`
      : `whole at step ${step} of ${config.steps}`;
    process.stdout.write(`${folder}: ${at}, ${known}${came}\n`);
  }
}

/** Whether a run by regions has not ended: its tables and pictures are not written before. */
function isUnfinished(description: RunDescription): boolean {
  return description.regions !== undefined && !hasEnded(description);
}

/**
 * Reads everything that a run has.
 * @throws Failure that names the file that is missing or wrong
 */
async function readWhole(run: RunRecord): Promise<void> {
  const { files, regions } = run.description;
  for (const name of Object.keys(files ?? {})) await run.file(name);
  if (isUnfinished(run.description)) return;
  const frames = run.film.map(frameFile);
  const unkept: string[] = regions ? [runFiles.gradients, runFiles.optimizer] : [];
  for (const name of Object.values(runFiles).filter((name) => !unkept.includes(name))) {
    if (files && name !== runFiles.description && !(name in files)) {
      throw run.source.refusal(`${runFiles.description} tells of no ${name}.`);
    }
  }
  for (const name of [runFiles.render, runFiles.target, ...frames]) await run.picture(name);
  await run.metrics();
  await run.parameters();
  if (regions) return;
  await run.target();
  await run.gradients();
  await run.state();
}

/** Trains a run again from its beginning, each part of it towards the end that it was planned for. */
async function retrain(run: RunRecord, quiet: boolean | undefined): Promise<Retrained> {
  const { config, step, horizon, earlier = [], goal } = run.description;
  if (goal?.kind === "seconds") {
    throw new Failure(`${run.name} was trained by the clock, so it cannot be trained again to the same bits.`);
  }
  const image = await run.target();
  const state = await run.state();
  const gradients = (await run.gradients()).at(-1)!.gradients;
  const engines = new Engines(true);
  const engine = await engines.of(config.pipeline);
  const interrupt = interruptible();
  const progress = quiet ? silence : showProgress({ from: 0, until: step });
  try {
    let now: { state?: TrainingState; gradients?: Float32Array } = {};
    for (const part of [...earlier, { step, steps: config.steps, horizon }]) {
      const from = now.state && { ...now.state, plateau: undefined };
      const partConfig = engine.asTrained({ ...config, steps: part.steps });
      const trainer = new Trainer(partConfig, image, engine.backend, from);
      for await (const snapshot of trainer.run({
        inspectAt: [part.step],
        horizon: part.horizon,
        signal: interrupt.signal,
      })) {
        progress.update(snapshot);
        if (snapshot.step === part.step) now = await trainer.inspect();
        if (snapshot.step >= part.step) break;
      }
      if (interrupt.signal.aborted) throw new Failure("Stopped before it was known whether the bits are the same.");
      if (now.state?.step !== part.step) throw new Failure(`${run.name} was not trained as its run.json says.`);
    }
    return compare(engine.backend.description, [state, gradients], [now.state!, now.gradients!]);
  } finally {
    progress.stop();
    interrupt.release();
    engines.close();
  }
}

type Kept = [TrainingState, gradients: Float32Array];

function compare(adapter: string, [a, aGradients]: Kept, [b, bGradients]: Kept): Retrained {
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
  if (same) return `trained again on ${adapter}, all ${numbers} numbers have the same bits`;
  const most = `parameters by ${largestDifference.toPrecision(2)} at most`;
  return `trained again on ${adapter}, ${differing} of ${numbers} numbers differ, ${most}`;
}
