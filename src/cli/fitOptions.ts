import { basename, extname, join } from "node:path";
import { parseNumber } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import { type Job, resumedJob } from "../runs/job.js";
import { readTarget } from "../runs/readTarget.js";
import { checkpointSeconds, defaultRecordEvery } from "../runs/recordEvery.js";
import { usageFailure } from "../terminal/failure.js";
import { checkCount, checkPath, checkPositive } from "../terminal/flags.js";
import { type ConfigOptions, checkOnlySteps, configOf } from "./configFlags.js";
import { type GoalOptions, goalOf } from "./goalFlags.js";

/** Options of `splatbook fit`, as they were typed. */
export interface FitOptions extends ConfigOptions, GoalOptions {
  longest?: string;
  recordEvery?: string;
  recordGradientsEvery?: string;
  checkpoint?: string;
  resume?: string;
  resumeSchedule?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/**
 * Returns the pixels that the longer side of the image may have; infinity if it is not to be reduced.
 * @throws ConfigError
 */
export function longestSideOf({ longest }: FitOptions): number {
  return longest === undefined ? Number.POSITIVE_INFINITY : checkCount("longest", parseNumber(longest));
}

/**
 * Returns the job that a command line asks for.
 * @param signal ends the reading of a large image
 * @throws Failure, ConfigError, or an Error of one sentence about the image
 */
export async function jobOf(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  return options.resume === undefined ? newJob(path, options, signal) : continuedJob(path, options, options.resume);
}

/** Returns the folder that receives the run. */
export function outFolderOf(path: string | undefined, { out, resume }: FitOptions): string {
  return checkPath(out ?? resume ?? join("runs", basename(path ?? "", extname(path ?? ""))));
}

async function newJob(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  if (options.resumeSchedule !== undefined) throw usageFailure("--resume-schedule needs --resume.");
  const requested = configOf(options);
  const goal = goalOf({ ...options });
  const { every, ...record } = recordOptions(options);
  const longest = longestSideOf(options);
  if (path === undefined) throw usageFailure("fit needs an image, such as splatbook fit data/images/astronaut.png.");
  const image = await readTarget(path, longest, signal);
  const choosesBlobs = options.blobs === undefined && (requested.preset === "quality" || goal !== undefined);
  const config = choosesBlobs ? configOf({ ...options, blobs: String(suggestBlobCount(image)) }) : requested;
  return {
    config,
    ...(goal && { goal }),
    choosesBlobs,
    image,
    imageName: basename(path),
    imageHash: await hashImage(image),
    ...record,
    recordEvery: every ?? defaultRecordEvery(config),
    out: outFolderOf(path, options),
  };
}

async function continuedJob(imagePath: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  checkOnlySteps(options);
  if (options.longest !== undefined)
    throw usageFailure("--longest cannot be given with --resume: the run keeps its image.");
  const { steps, resumeSchedule: schedule } = options;
  const { every: recordEvery, ...record } = recordOptions(options);
  const out = outFolderOf(imagePath, options);
  return resumedJob(resume, { steps: steps && parseNumber(steps), schedule, recordEvery, ...record, imagePath, out });
}

function recordOptions({ recordEvery, recordGradientsEvery, checkpoint }: FitOptions) {
  return {
    every: recordEvery === undefined ? undefined : checkCount("recordEvery", parseNumber(recordEvery)),
    recordGradientsEvery:
      recordGradientsEvery === undefined
        ? undefined
        : checkCount("recordGradientsEvery", parseNumber(recordGradientsEvery)),
    checkpointEvery:
      checkpoint === undefined ? checkpointSeconds : checkPositive("checkpoint", parseNumber(checkpoint)),
  };
}
