import { createHash } from "node:crypto";
import type { TrainConfig } from "../engine/config.js";
import { isObject } from "../engine/files/fieldChecks.js";
import type { Size } from "../engine/image/image.js";
import { mustBe, printable, quoted, toSingleLine } from "../engine/quoted.js";
import type { FitTask } from "../engine/regions/fit.js";
import type { Rect, Region } from "../engine/regions/plan.js";
import { codeHash } from "../host/node/checkout.js";
import { versions } from "../host/node/project.js";
import { isPathWithin } from "../runs/pathWithin.js";
import { Failure } from "../terminal/failure.js";

/** A job for a worker: a run, or a region or window of one. Stored jobs have these names. */
export interface FarmJob {
  /** `codeVersion` of the splatbook that queued the job. */
  version: string;
  config: TrainConfig;
  /** Hash of the image, which is its name in the store. */
  picture: string;
  imageName: string;
  /** Path of the run's folder in the store. */
  run: string;
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

const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && (value as number) > 0);
const isRect = (value: unknown) =>
  isObject(value) && ["x", "y", "width", "height"].every((name) => Number.isFinite(value[name]));

/** Returns whether a value is a valid region or window. A window needs initial blobs. */
function isRegionTask({ part, size, blobs }: Partial<RegionTask>): boolean {
  if (!isObject(part) || !isRect({ x: 0, y: 0, ...size })) return false;
  const { window, region } = part as { window?: Rect; region?: Partial<Region> };
  return region ? [region.own, region.learned, region.bounds].every(isRect) : isRect(window) && blobs !== undefined;
}

const hashFormat = "64 hexadecimal digits";

/**
 * Returns a validated job from Redis. Jobs are untrusted: anyone with access to Redis can queue one, so its paths must
 * stay inside the runs folder, and its id must be its hash.
 * @throws Failure that names the first invalid field
 */
export function readJob(id: string | undefined, data: unknown): FarmJob {
  const job = (isObject(data) ? data : {}) as Partial<FarmJob>;
  const { picture, imageName, run, recordEvery, recordGradientsEvery, alertAfter, config, part } = job;
  const checks: [field: string, value: unknown, isRight: boolean, allowed: string][] = [
    ["data", data, isObject(data), "an object"],
    ["config", config, isObject(config), "an object"],
    ["picture", picture, isHash(picture), hashFormat],
    ["imageName", imageName, typeof imageName === "string", "a string"],
    ["run", run, isPathWithin(run), 'a path below the folder of the runs, without ".."'],
    ["recordEvery", recordEvery, isCount(recordEvery), "a whole number above 0"],
    ["recordGradientsEvery", recordGradientsEvery, isCount(recordGradientsEvery), "a whole number above 0"],
    ["alertAfter", alertAfter, isCount(alertAfter), "a whole number above 0"],
    ["part", part, part === undefined || (isObject(part) && isRegionTask(part)), "a region, or a window and its blobs"],
    ["blobs", part?.blobs, part?.blobs === undefined || isHash(part.blobs), hashFormat],
    ["id", id, isObject(data) && id === idOf(job as FarmJob), "the hash of its contents"],
  ];
  for (const [field, value, isValid, allowed] of checks) {
    if (!isValid) throw new Failure(`This job is invalid: its ${mustBe(field, allowed, value)}`);
  }
  return job as FarmJob;
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

/**
 * Returns the name of a job's input in the store: its hash, since jobs share images. Inputs of a region or window also
 * have the id of the job, so that they can be removed when it is done.
 */
export function inputName(job: FarmJob, hash: string): string {
  return job.part ? `${hash}-${idOf(job)}` : hash;
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
