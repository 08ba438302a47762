import { basename, extname, join } from "node:path";
import { numeric } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { blobsFor } from "../engine/training/blobCount.js";
import { decodeImage } from "../host/node/imageFile.js";
import { type Job, resumedJob } from "../runs/job.js";
import { recordEveryOf, secondsBetween } from "../runs/recordEvery.js";
import { usageFailure } from "../terminal/failure.js";
import { count, outPath, positive } from "../terminal/flags.js";
import { type ConfigOptions, configOf, refuseOtherThanSteps } from "./configFlags.js";
import { type GoalOptions, goalOf } from "./goalFlags.js";

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

async function continuedJob(imagePath: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  refuseOtherThanSteps(options);
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
