import { completeConfig, type TrainConfig } from "../engine/config.js";
import type { GradientRecord, MetricsRow } from "../engine/files/arrow.js";
import { type EarlierBudget, hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import { frameFile } from "../engine/files/runFiles.js";
import { hashImage, type Image } from "../engine/image/image.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { usageFailure } from "../terminal/failure.js";
import { formatCount } from "../terminal/formatCount.js";
import { continuedSchedule } from "./continuedSchedule.js";
import { readTarget } from "./readTarget.js";
import { checkpointSeconds, defaultRecordEvery } from "./recordEvery.js";

/** When a run ends before its last step: at a PSNR in decibels, or after seconds of training, which replace the steps. */
export interface Goal {
  kind: "psnr" | "seconds";
  value: number;
}

/** A run to train: its config, image, output folder, and the run that it continues. */
export interface Job {
  config: TrainConfig;
  goal?: Goal;
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
  /** A path to the run's image, which is compared. */
  imagePath?: string;
}

/**
 * Returns the job that continues a run.
 * @param folder the run's folder
 * @throws Failure, or ConfigError for the steps
 */
export async function resumedJob(folder: string, overrides: Resumption = {}): Promise<Job> {
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(folder);
  const { description } = run;
  const isExtended = overrides.steps !== undefined;
  const config = isExtended ? completeConfig({ ...description.config, steps: overrides.steps }) : description.config;
  const goal = isExtended ? undefined : remainingGoal(description);
  const isFinished = isExtended ? config.steps <= description.step : hasEnded(description) || isAtPsnr(description);
  if (isFinished && goal?.kind !== "seconds") {
    throw usageFailure(
      `${folder} has already taken ${formatCount(description.step)} steps. Give a larger --steps to continue it.`,
    );
  }
  const newEnd = isExtended ? config.steps : undefined;
  const { keepsPlateau, ...schedule } = continuedSchedule(folder, description, newEnd);
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

/** Returns the goal of a run that was stopped before it was reached. Earlier versions had goals of another kind. */
function remainingGoal({ goal }: RunDescription): Goal | undefined {
  if (!goal || goal.reached || goal.kind === "bitsPerPixel") return undefined;
  return { kind: goal.kind, value: goal.value };
}

function isAtPsnr({ goal }: RunDescription): boolean {
  return goal?.kind === "psnr" && goal.reached;
}

/** Returns what a job is about to do: image size, blobs, and steps or limit. */
export function describeJob({ config, image, goal, resumedFrom: before }: Job): string {
  const pixels = `${image.width}×${image.height} pixels`;
  const steps = config.steps === 1 ? "1 step" : `${formatCount(config.steps)} steps`;
  if (goal?.kind === "seconds") {
    return `${pixels}, ${formatCount(config.blobs)} blobs, ${goal.value} s`;
  }
  const stepRange = before ? `steps ${formatCount(before.state.step + 1)} to ${formatCount(config.steps)}` : steps;
  const limit = goal ? ` or ${goal.value} dB` : "";
  return `${pixels}, ${formatCount(config.blobs)} blobs, ${stepRange}${limit}`;
}
