import { basename, extname, join } from "node:path";
import { fieldNames } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { suggestBlobCount } from "../engine/training/blobCount.js";
import { stdin } from "../host/node/imageFile.js";
import { type Goal, type Job, newJob, resumedJob } from "../runs/job.js";
import { readTarget } from "../runs/readTarget.js";
import { type Failure, usageFailure } from "../terminal/failure.js";
import { type ConfigOptions, configOf } from "./configFlags.js";
import type { FarmOptions } from "./farmOptions.js";
import { refuseOptions } from "./options.js";

/** Options of `splatbook fit`. */
export interface FitOptions extends ConfigOptions, FarmOptions {
  psnr?: number;
  seconds?: number;
  longest?: number;
  recordEvery?: number;
  recordGradientsEvery?: number;
  checkpoint?: number;
  alertAfter?: number;
  resume?: string;
  regions?: boolean;
  regionSize?: number;
  out?: string;
  json?: boolean;
  jsonLines?: boolean;
  quiet?: boolean;
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
  return out ?? resume ?? join("runs", runNameOf(path ?? ""));
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
  const requested = configOf(options);
  const goal = goalOf(options);
  if (path === undefined) throw missingImage();
  const image = await readTarget(path, options.longest, signal);
  const choosesBlobs = options.blobs === undefined && (requested.preset === "quality" || goal?.kind === "seconds");
  const config = choosesBlobs ? configOf({ ...options, blobs: suggestBlobCount(image) }) : requested;
  return newJob({
    config,
    ...(goal && { goal }),
    image,
    imageName: imageNameOf(path),
    imageHash: await hashImage(image),
    ...intervalsOf(options),
    out: outFolderOf(path, options),
  });
}

/** @throws Failure */
function goalOf(options: FitOptions): Goal | undefined {
  const { psnr, seconds } = options;
  if (psnr !== undefined && seconds !== undefined) throw usageFailure("A run has one goal: --psnr or --seconds.");
  if (psnr !== undefined) return { kind: "psnr", value: psnr };
  if (seconds === undefined) return undefined;
  refuseOptions(options, ["steps"], "given with --seconds");
  return { kind: "seconds", value: seconds };
}

/** Returns the failure of `fit` without an image. */
export function missingImage(): Failure {
  return usageFailure("fit needs an image, such as splatbook fit data/images/astronaut.png.");
}

async function continuedJob(imagePath: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  refuseOptions(options, ["psnr", "seconds"], "given with --resume: the run keeps its goal");
  const keptFields = fieldNames.filter((field) => field !== "steps");
  const changeable = "except --steps, --record-every, --record-gradients-every and --out";
  refuseOptions(options, [...keptFields, "config"], `given with --resume: the run keeps its settings, ${changeable}`);
  refuseOptions(options, ["longest"], "given with --resume: the run keeps its image");
  return resumedJob(resume, {
    steps: options.steps,
    ...intervalsOf(options),
    imagePath,
    out: outFolderOf(imagePath, options),
  });
}

function intervalsOf({ recordEvery, recordGradientsEvery, checkpoint: checkpointEvery, alertAfter }: FitOptions) {
  return { recordEvery, recordGradientsEvery, checkpointEvery, alertAfter };
}
