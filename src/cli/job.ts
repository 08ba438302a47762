import { basename, extname, join } from "node:path";
import type { TrainConfig } from "../engine/config.js";
import type { GradientRecord, MetricsRow } from "../engine/files/arrow.js";
import { type EarlierPart, hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import { frameFile } from "../engine/files/runFiles.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { hashImage, type Image } from "../engine/picture/image.js";
import { blobsFor } from "../engine/training/blobCount.js";
import { type Attempt, type Goal, nextBlobs } from "../engine/training/goal.js";
import { decodeImage } from "../host/imageFile.js";
import { type ConfigOptions, configOf, continuedConfig } from "./configFlags.js";
import { continuedSchedule } from "./continuedSchedule.js";
import { usageFailure } from "./failure.js";
import { count, numeric, outPath, positive } from "./flags.js";
import { type GoalOptions, goalOf } from "./goalFlags.js";
import { recordEveryOf } from "./recordEvery.js";

/** Options of `splatbook fit`, as they were typed. */
export interface FitOptions extends ConfigOptions, GoalOptions {
  recordEvery?: string;
  recordGradientsEvery?: string;
  checkpoint?: string;
  resume?: string;
  resumeSchedule?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** What a run learns, from where, and where it is kept. */
export interface Job {
  config: TrainConfig;
  /** What it is to reach, besides its steps. */
  goal?: Goal;
  /** What other numbers of blobs came to, in the command that is gone on with. */
  attempts?: Attempt[];
  /** Whether the number of blobs was left to the picture. */
  choosesBlobs?: boolean;
  image: Image;
  imageName: string;
  imageHash: string;
  recordEvery: number;
  recordGradientsEvery?: number;
  /** Seconds between two checkpoints. */
  checkpointEvery: number;
  out: string;
  /** As in the run's description: where its schedule ends, and its parts that were planned for another end. */
  horizon?: number;
  earlier?: EarlierPart[];
  /** What the user should know of it before it begins, in a sentence. */
  note?: string;
  /** The run that it continues. */
  before?: {
    state: TrainingState;
    metrics: MetricsRow[];
    gradients: GradientRecord[];
    /** The film's frames as PNG files, by their steps. */
    film: Map<number, Uint8Array>;
    seconds: number;
  };
}

/** Seconds between two checkpoints, unless --checkpoint says otherwise. */
export const secondsBetween = 10;

/**
 * The job that a command line asks for.
 * @throws Failure, ConfigError, or an Error of one sentence about the picture
 */
export async function jobOf(path: string | undefined, options: FitOptions): Promise<Job> {
  return options.resume === undefined ? newJob(path, options) : continuedJob(path, options, options.resume);
}

/** Where a command line has its run kept. */
export function outOf(path: string | undefined, { out, resume }: FitOptions): string {
  return outPath(out ?? resume ?? join("runs", basename(path ?? "", extname(path ?? ""))));
}

async function newJob(path: string | undefined, options: FitOptions): Promise<Job> {
  if (options.resumeSchedule !== undefined) throw usageFailure("--resume-schedule is for --resume.");
  const asked = configOf(options);
  const goal = goalOf({ ...options });
  const { every, ...record } = recordOptions(options);
  if (path === undefined) throw usageFailure("fit needs a picture, such as splatbook fit data/images/astronaut.png.");
  const image = await decodeImage(path);
  const choosesBlobs = options.blobs === undefined && (asked.preset === "quality" || goal !== undefined);
  const config = choosesBlobs ? configOf({ ...options, blobs: String(blobsFor(image)) }) : asked;
  return {
    config,
    ...(goal && { goal }),
    choosesBlobs,
    image,
    imageName: basename(path),
    imageHash: await hashImage(image),
    ...record,
    recordEvery: every ?? recordEveryOf(config),
    out: outOf(path, options),
  };
}

async function continuedJob(path: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  const { every, recordGradientsEvery, checkpointEvery } = recordOptions(options);
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(resume);
  const { description } = run;
  const config = continuedConfig(description.config, options);
  const goal = options.steps === undefined ? goalLeft(description) : undefined;
  const isOver = options.steps === undefined ? hasEnded(description) : config.steps <= description.step;
  if (isOver && !goal) {
    throw usageFailure(
      `${resume} has done ${description.step} steps already; say with --steps at which later step it shall end.`,
    );
  }
  const end = options.steps === undefined ? undefined : config.steps;
  const { keepsPlateau, ...schedule } = continuedSchedule(resume, description, end, options.resumeSchedule);
  const { plateau, ...state } = await run.state();
  const metrics = await run.metrics();
  const gradients = await run.gradients();
  const film = new Map<number, Uint8Array>();
  for (const step of run.film) film.set(step, await run.file(frameFile(step)));
  const image = await run.target();
  if (path !== undefined && (await hashImage(await decodeImage(path))) !== description.image.hash) {
    throw usageFailure(`${path} is not the picture that ${resume} learned.`);
  }
  return {
    config,
    ...(goal && { goal }),
    attempts: goal && attemptsOf(description).filter(({ blobs }) => blobs !== config.blobs),
    image,
    imageName: description.image.name,
    imageHash: description.image.hash,
    recordEvery: every ?? (description.recordEvery || recordEveryOf(config)),
    recordGradientsEvery: recordGradientsEvery ?? description.recordGradientsEvery,
    checkpointEvery,
    out: outOf(path, options),
    ...schedule,
    before: {
      state: keepsPlateau ? { ...state, plateau } : state,
      metrics,
      // The last record is of the step that comes next, and is recorded anew.
      gradients: gradients.filter(({ step }) => step <= state.step),
      film,
      seconds: description.timings.seconds,
    },
  };
}

/** What a run that was stopped before its seconds or its search were over still has to reach. */
function goalLeft(description: RunDescription): Goal | undefined {
  if (!description.goal) return undefined;
  const { reached, ...goal } = description.goal;
  if (goal.kind === "seconds") return reached ? undefined : goal;
  const attempts = attemptsOf(description);
  const isOver = hasEnded(description) && attempts.length > 0 && !nextBlobs(attempts, goal, description.image);
  return isOver ? undefined : goal;
}

/** The numbers of blobs that were tried for a run's goal. JSON tells an infinite PSNR as null. */
function attemptsOf({ attempts = [] }: RunDescription): Attempt[] {
  return attempts.map((attempt) => ({ ...attempt, psnr: attempt.psnr ?? Number.POSITIVE_INFINITY }));
}

function recordOptions({ recordEvery, recordGradientsEvery, checkpoint }: FitOptions) {
  return {
    every: recordEvery === undefined ? undefined : count("recordEvery", numeric(recordEvery)),
    recordGradientsEvery:
      recordGradientsEvery === undefined ? undefined : count("recordGradientsEvery", numeric(recordGradientsEvery)),
    checkpointEvery: checkpoint === undefined ? secondsBetween : positive("checkpoint", numeric(checkpoint)),
  };
}
