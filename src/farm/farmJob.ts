import { createHash } from "node:crypto";
import type { TrainConfig } from "../engine/config.js";
import { isObject } from "../engine/files/fieldChecks.js";
import type { Size } from "../engine/image/image.js";
import { printable, quoted, toSingleLine } from "../engine/quoted.js";
import type { FitTask } from "../engine/regions/fit.js";
import { codeHash } from "../host/node/checkout.js";
import { versions } from "../host/node/project.js";

/** A job for a worker: a run, or a region or window of one. */
export interface FarmJob {
  config: TrainConfig;
  /** The command's folder, by its path in the folder that all machines share; empty if it is that folder. */
  folder: string;
  /** The folder of the run, by its path in the command's folder. */
  run: string;
  /** Hash of the image, which is its name in the store. */
  picture: string;
  imageName: string;
  recordEvery?: number;
  recordGradientsEvery?: number;
  /** Steps after which a region has diverged, if not the default. */
  alertAfter?: number;
  /** Whether the CPU must not replace a GPU pipeline. */
  comparesPipelines: boolean;
  /** The region or window of this job, if the image is fitted in regions. */
  part?: RegionTask;
}

/** A region or window of an image. */
export interface RegionTask {
  part: FitTask;
  /** Size of the whole image. */
  size: Size;
  /** Hash of the initial blobs, which is their name in the store. */
  blobs?: string;
}

/** The result of a job. Unless the job was refused, its run has been committed to the store. */
export interface FarmResult {
  host: string;
  /** Why the run cannot be trained. */
  refused?: string;
}

/** Returns the validated result of a worker from Redis; an Error if it is invalid. */
export function readResult(value: unknown): FarmResult | Error {
  const { host, refused } = (isObject(value) ? value : {}) as Partial<FarmResult>;
  const isRefusal = refused === undefined || typeof refused === "string";
  if (typeof host !== "string" || !isRefusal)
    return new Error(`The result of the worker is invalid: ${quoted(value)}.`);
  return { host: toSingleLine(host), ...(refused !== undefined && { refused: printable(refused) }) };
}

/** Returns the id of a job: the hash of its contents, so that a job that is queued twice runs once. */
export function idOf(job: FarmJob): string {
  return createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 32);
}

let version: string | undefined;

/**
 * Returns the version of this splatbook, such as "0.1.0 (3fa9c1d2)". It includes a hash of the code, since checkouts of
 * a version may differ.
 */
export function codeVersion(): string {
  version ??= `${versions().splatbook} (${codeHash()})`;
  return version;
}
