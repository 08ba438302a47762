import { basename, extname, join } from "node:path";
import { parseNumber } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import { stdin } from "../host/node/imageFile.js";
import { type Job, newJob, resumedJob } from "../runs/job.js";
import { readTarget } from "../runs/readTarget.js";
import { type Failure, usageFailure } from "../terminal/failure.js";
import { checkPath, checkPositive, optionalCount } from "../terminal/flags.js";
import { type ConfigOptions, checkOnlySteps, configOf } from "./configFlags.js";
import { type GoalOptions, goalOf } from "./goalFlags.js";

/** Options of `splatbook fit`, as they were typed. */
export interface FitOptions extends ConfigOptions, GoalOptions {
  longest?: string;
  recordEvery?: string;
  recordGradientsEvery?: string;
  checkpoint?: string;
  alertAfter?: string;
  alertCommand?: string;
  resume?: string;
  resumeSchedule?: string;
  out?: string;
  open?: boolean;
  json?: boolean;
  jsonLines?: boolean;
  quiet?: boolean;
}

/**
 * Returns the pixels that the longer side of the image may have; infinity if it is not to be reduced.
 * @throws ConfigError
 */
export function longestSideOf({ longest }: FitOptions): number {
  return optionalCount("longest", longest) ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the job that a command line asks for.
 * @param signal ends the reading of a large image
 * @throws Failure, ConfigError, or an Error of one sentence about the image
 */
export async function jobOf(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  return options.resume === undefined
    ? requestedJob(path, options, signal)
    : continuedJob(path, options, options.resume);
}

/** Returns the folder that receives the run. */
export function outFolderOf(path: string | undefined, { out, resume }: FitOptions): string {
  return checkPath(out ?? resume ?? join("runs", runNameOf(path ?? "")));
}

/** Returns the name of an image: that of its file, or stdin. */
export function imageNameOf(path: string): string {
  return path === stdin ? "stdin" : basename(path);
}

/** Returns the name of an image's run: that of the image without its suffix. */
export function runNameOf(path: string): string {
  const name = imageNameOf(path);
  return basename(name, extname(name));
}

async function requestedJob(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  if (options.resumeSchedule !== undefined) throw usageFailure("--resume-schedule needs --resume.");
  const requested = configOf(options);
  const goal = goalOf({ ...options });
  const intervals = intervalsOf(options);
  const longest = longestSideOf(options);
  if (path === undefined) throw missingImage();
  const image = await readTarget(path, longest, signal);
  const choosesBlobs = options.blobs === undefined && (requested.preset === "quality" || goal !== undefined);
  const config = choosesBlobs ? configOf({ ...options, blobs: String(suggestBlobCount(image)) }) : requested;
  return newJob({
    config,
    ...(goal && { goal }),
    choosesBlobs,
    image,
    imageName: imageNameOf(path),
    imageHash: await hashImage(image),
    ...intervals,
    out: outFolderOf(path, options),
  });
}

/** Returns the failure of `fit` without an image. */
export function missingImage(): Failure {
  return usageFailure("fit needs an image, such as splatbook fit data/images/astronaut.png.");
}

async function continuedJob(imagePath: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  checkOnlySteps(options);
  if (options.longest !== undefined)
    throw usageFailure("--longest cannot be given with --resume: the run keeps its image.");
  const { steps, resumeSchedule: schedule } = options;
  const out = outFolderOf(imagePath, options);
  return resumedJob(resume, { steps: steps && parseNumber(steps), schedule, ...intervalsOf(options), imagePath, out });
}

function intervalsOf({ recordEvery, recordGradientsEvery, checkpoint, alertAfter }: FitOptions) {
  return {
    recordEvery: optionalCount("recordEvery", recordEvery),
    recordGradientsEvery: optionalCount("recordGradientsEvery", recordGradientsEvery),
    checkpointEvery: checkpoint === undefined ? undefined : checkPositive("checkpoint", parseNumber(checkpoint)),
    alertAfter: optionalCount("alertAfter", alertAfter),
  };
}
