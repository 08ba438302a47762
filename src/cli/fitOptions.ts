import { basename, extname, join } from "node:path";
import { numeric } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { blobsFor } from "../engine/training/blobCount.js";
import { type Job, resumedJob } from "../runs/job.js";
import { readTarget } from "../runs/readTarget.js";
import { recordEveryOf, secondsBetween } from "../runs/recordEvery.js";
import { usageFailure } from "../terminal/failure.js";
import { count, outPath, positive } from "../terminal/flags.js";
import { type ConfigOptions, configOf, refuseOtherThanSteps } from "./configFlags.js";
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
export function longestOf({ longest }: FitOptions): number {
  return longest === undefined ? Number.POSITIVE_INFINITY : count("longest", numeric(longest));
}

/**
 * The job that a command line asks for.
 * @param signal ends the reading of a large image
 * @throws Failure, ConfigError, or an Error of one sentence about the picture
 */
export async function jobOf(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  return options.resume === undefined ? newJob(path, options, signal) : continuedJob(path, options, options.resume);
}

/** Where a command line has its run kept. */
export function outOf(path: string | undefined, { out, resume }: FitOptions): string {
  return outPath(out ?? resume ?? join("runs", basename(path ?? "", extname(path ?? ""))));
}

async function newJob(path: string | undefined, options: FitOptions, signal?: AbortSignal): Promise<Job> {
  if (options.resumeSchedule !== undefined) throw usageFailure("--resume-schedule needs --resume.");
  const asked = configOf(options);
  const goal = goalOf({ ...options });
  const { every, ...record } = recordOptions(options);
  const longest = longestOf(options);
  if (path === undefined) throw usageFailure("fit needs an image, such as splatbook fit data/images/astronaut.png.");
  const image = await readTarget(path, longest, signal);
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

async function continuedJob(imagePath: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  refuseOtherThanSteps(options);
  if (options.longest !== undefined)
    throw usageFailure("--longest cannot be given with --resume: the run keeps its image.");
  const { steps, resumeSchedule: schedule } = options;
  const { every: recordEvery, ...record } = recordOptions(options);
  const out = outOf(imagePath, options);
  return resumedJob(resume, { steps: steps && numeric(steps), schedule, recordEvery, ...record, imagePath, out });
}

function recordOptions({ recordEvery, recordGradientsEvery, checkpoint }: FitOptions) {
  return {
    every: recordEvery === undefined ? undefined : count("recordEvery", numeric(recordEvery)),
    recordGradientsEvery:
      recordGradientsEvery === undefined ? undefined : count("recordGradientsEvery", numeric(recordGradientsEvery)),
    checkpointEvery: checkpoint === undefined ? secondsBetween : positive("checkpoint", numeric(checkpoint)),
  };
}
