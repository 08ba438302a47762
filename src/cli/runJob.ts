import { completeConfig } from "../engine/config.js";
import { type Attempt, bestAttempt, type Goal, nextForBits, nextForPsnr } from "../engine/goal.js";
import type { RunDescription } from "../engine/runDescription.js";
import { Trainer } from "../engine/trainer.js";
import type { Engine } from "./engine.js";
import { Failure } from "./failure.js";
import type { Job } from "./job.js";
import { type Course, type Progress, silence } from "./progress.js";
import type { Recorder } from "./recorder.js";

/** A run that has ended, and is not kept yet. */
interface Ended extends Attempt {
  recorder: Recorder;
}

/** What was kept. */
export interface Kept {
  description: RunDescription;
  goal?: Goal & { reached: boolean };
}

/** Steps that the seconds of a run are to hold at least, if fewer blobs can make them. */
const fewestSteps = 300;

/**
 * Trains what a job asks for, with as many numbers of blobs as its goal takes, and keeps the best run.
 * @param show how to tell of a run while it is under way
 * @param signal ends the run under way, which is then kept
 */
export async function runJob(
  job: Job,
  engine: Engine,
  show: ((course: Course) => Progress) | undefined,
  signal: AbortSignal,
): Promise<Kept> {
  const { goal, image } = job;
  const pixels = image.width * image.height;
  const attempts: Ended[] = [];
  let best: Ended | undefined;
  try {
    let blobs: number | undefined = await firstBlobs(job, engine);
    while (blobs !== undefined) {
      const config = completeConfig({ ...job.config, blobs, covarianceScale: undefined });
      if (goal && goal.kind !== "seconds") show?.({ said: `${blobs} blobs` });
      const isFirst = blobs === job.config.blobs;
      attempts.push(
        await runOnce({ ...job, config: isFirst ? job.config : config }, engine, show, signal, attempts.length),
      );
      best = goal?.kind === "psnr" ? bestAttempt(attempts, goal.value) : attempts.at(-1)!;
      for (const { recorder } of attempts) if (recorder !== best.recorder) await recorder.discard();
      blobs = undefined;
      if (signal.aborted) break;
      if (goal?.kind === "psnr") blobs = nextForPsnr(attempts, goal.value, pixels);
      if (goal?.kind === "bitsPerPixel") blobs = nextForBits(attempts, goal.value, pixels);
    }
    const { recorder } = best!;
    if (!goal) return { description: await recorder.keep() };
    let { bitsPerPixel } = best!;
    if (goal.kind === "bitsPerPixel") ({ bitsPerPixel } = await recorder.shrinkFile(goal.value));
    const isMissed = {
      psnr: best!.psnr < goal.value,
      seconds: signal.aborted,
      bitsPerPixel: bitsPerPixel > goal.value,
    };
    const told = { ...goal, reached: !isMissed[goal.kind] };
    const tried = attempts.map(({ recorder: _, ...attempt }) => attempt);
    return {
      description: await recorder.keep({ goal: told, ...(tried.length > 1 && { attempts: tried }) }),
      goal: told,
    };
  } finally {
    for (const { recorder } of attempts) await recorder.discard();
  }
}

/** The number of blobs to begin with. */
async function firstBlobs(job: Job, engine: Engine): Promise<number> {
  const { config, goal, image, choosesBlobs } = job;
  if (goal?.kind === "bitsPerPixel") return nextForBits([], goal.value, image.width * image.height)!;
  if (goal?.kind !== "seconds" || !choosesBlobs) return config.blobs;
  // A slow machine gets fewer blobs than the picture deserves, so that they are trained at all.
  const probe = new Trainer(config, image, engine.backend);
  let stepsPerSecond = 0;
  for await (const snapshot of probe.run({ until: 3, recordEvery: 1 })) stepsPerSecond = snapshot.stepsPerSecond;
  const share = (goal.value * stepsPerSecond) / fewestSteps;
  return share >= 1 ? config.blobs : Math.max(1, Math.round(config.blobs * share));
}

async function runOnce(
  job: Job,
  engine: Engine,
  show: ((course: Course) => Progress) | undefined,
  signal: AbortSignal,
  attempt: number,
): Promise<Ended> {
  const { config, image, before, goal, recordEvery, recordGradientsEvery } = job;
  const trainer = new Trainer(config, image, engine.backend, before?.state);
  trainer.seconds = before?.seconds ?? 0;
  const seconds = goal?.kind === "seconds" ? goal.value : undefined;
  // Arrow takes half a second to load, which a mistyped flag need not wait for.
  const { Recorder } = await import("./recorder.js");
  const recorder = await Recorder.begin(job, attempt);
  try {
    const progress =
      show?.(seconds === undefined ? { from: trainer.step, until: config.steps } : { seconds }) ?? silence;
    try {
      for await (const snapshot of trainer.run({ recordEvery, recordGradientsEvery, seconds, signal })) {
        if (!Number.isFinite(snapshot.loss)) {
          throw new Failure(`The loss is ${snapshot.loss} at step ${snapshot.step}, so the run was given up.`);
        }
        await recorder.take(snapshot);
        progress.update(snapshot);
      }
    } finally {
      progress.stop();
    }
    if (signal.aborted && trainer.step === (before?.state.step ?? 0)) {
      throw new Failure("Stopped before the first step, so there is nothing to keep.");
    }
    const { psnr, file } = await recorder.end(trainer, engine);
    return { blobs: config.blobs, psnr, bitsPerPixel: file.bitsPerPixel, recorder };
  } catch (error) {
    await recorder.discard();
    throw error;
  }
}
