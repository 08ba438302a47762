import { completeConfig, type TrainConfig } from "../engine/config.js";
import type { GradientRecord, MetricsRow } from "../engine/files/arrow.js";
import { type EarlierBudget, hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import { frameFile } from "../engine/files/runFiles.js";
import { hashImage, type Image } from "../engine/image/image.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { type Attempt, type Goal, nextBlobs } from "../engine/training/goal.js";
import { usageFailure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { continuedSchedule } from "./continuedSchedule.js";
import { readTarget } from "./readTarget.js";
import { checkpointSeconds, defaultRecordEvery } from "./recordEvery.js";

/** A run to train: its config, image, output folder, and the run that it continues. */
export interface Job {
  config: TrainConfig;
  /** A goal besides the step budget. */
  goal?: Goal;
  /** Results of other numbers of blobs, from the command that is resumed. */
  attempts?: Attempt[];
  /** Whether the image determines the number of blobs. */
  choosesBlobs?: boolean;
  image: Image;
  imageName: string;
  imageHash: string;
  recordEvery: number;
  recordGradientsEvery?: number;
  /** Seconds between two checkpoints. */
  checkpointEvery: number;
  /** Steps without progress, or far from the best loss, before an alert. */
  alertAfter?: number;
  /** Alerts of the run that it continues, as in run.json. */
  alerts?: RunDescription["alerts"];
  out: string;
  /** As in run.json: the end of the schedule, and earlier segments that were planned with another end. */
  horizon?: number;
  earlier?: EarlierBudget[];
  /** The step after which it pauses. */
  pauseAt?: number;
  /** A sentence to print before training. */
  note?: string;
  /** The run that it continues. */
  resumedFrom?: {
    state: TrainingState;
    metrics: MetricsRow[];
    gradients: GradientRecord[];
    /** The film's frames as PNG files, by their steps. */
    film: Map<number, Uint8Array>;
    seconds: number;
  };
}

/** Returns the job of a new run, with default intervals if absent. */
export function newJob(
  fields: Omit<Job, "recordEvery" | "checkpointEvery"> & Partial<Pick<Job, "recordEvery" | "checkpointEvery">>,
): Job {
  return {
    ...fields,
    recordEvery: fields.recordEvery ?? defaultRecordEvery(fields.config),
    checkpointEvery: fields.checkpointEvery ?? checkpointSeconds,
  };
}

/** What may differ from the run that is resumed. */
interface Resumption
  extends Partial<Pick<Job, "recordEvery" | "recordGradientsEvery" | "checkpointEvery" | "alertAfter" | "out">> {
  /** The step at which it ends, unchecked; the one it was planned for if absent. */
  steps?: number | string;
  /** Value of --resume-schedule. */
  schedule?: string;
  /** A path to the run's image, which is compared. */
  imagePath?: string;
}

/**
 * Returns the job that continues a run.
 * @param folder the run's folder
 * @throws Failure, or ConfigError for the steps or the schedule
 */
export async function resumedJob(folder: string, overrides: Resumption = {}): Promise<Job> {
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(folder);
  const { description } = run;
  const isExtended = overrides.steps !== undefined;
  const config = isExtended ? completeConfig({ ...description.config, steps: overrides.steps }) : description.config;
  const goal = isExtended ? undefined : remainingGoal(description);
  const isFinished = isExtended ? config.steps <= description.step : hasEnded(description);
  if (isFinished && !goal) {
    throw usageFailure(
      `${folder} has already taken ${formatCount(description.step)} steps. Give a larger --steps to continue it.`,
    );
  }
  const newEnd = isExtended ? config.steps : undefined;
  const { keepsPlateau, ...schedule } = continuedSchedule(folder, description, newEnd, overrides.schedule);
  const { plateau, ...state } = await run.state();
  const metrics = await run.metrics();
  const gradients = await run.gradients();
  const film = new Map<number, Uint8Array>();
  for (const step of run.film) film.set(step, await run.file(frameFile(step)));
  const image = await run.target();
  const { imagePath } = overrides;
  if (imagePath !== undefined) {
    // It may be the original image, which --longest reduced to the run's.
    const givenImage = await readTarget(imagePath, Math.max(image.width, image.height));
    if ((await hashImage(givenImage)) !== description.image.hash) {
      throw usageFailure(`${imagePath} is not the image of ${folder}.`);
    }
  }
  return newJob({
    config,
    ...(goal && { goal }),
    attempts: goal && attemptsOf(description).filter(({ blobs }) => blobs !== config.blobs),
    image,
    imageName: description.image.name,
    imageHash: description.image.hash,
    recordEvery: overrides.recordEvery ?? (description.recordEvery || undefined),
    recordGradientsEvery: overrides.recordGradientsEvery ?? description.recordGradientsEvery,
    checkpointEvery: overrides.checkpointEvery,
    alertAfter: overrides.alertAfter,
    alerts: description.alerts,
    out: overrides.out ?? folder,
    ...schedule,
    resumedFrom: {
      state: keepsPlateau ? { ...state, plateau } : state,
      metrics,
      // The last record belongs to the next step, which will be recorded again.
      gradients: gradients.filter(({ step }) => step <= state.step),
      film,
      seconds: description.timings.seconds,
    },
  });
}

/** Returns the goal of a run that was stopped before it was reached. */
function remainingGoal(description: RunDescription): Goal | undefined {
  if (!description.goal) return undefined;
  const { reached, ...goal } = description.goal;
  if (goal.kind === "seconds") return reached ? undefined : goal;
  const attempts = attemptsOf(description);
  const isFinished = hasEnded(description) && attempts.length > 0 && !nextBlobs(attempts, goal, description.image);
  return isFinished ? undefined : goal;
}

/** Returns the numbers of blobs that were tried for a run's goal. JSON stores an infinite PSNR as null. */
function attemptsOf({ attempts = [] }: RunDescription): Attempt[] {
  return attempts.map((attempt) => ({ ...attempt, psnr: attempt.psnr ?? Number.POSITIVE_INFINITY }));
}
