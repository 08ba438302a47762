import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TrainConfig } from "../engine/config.js";
import type { Size } from "../engine/image/image.js";
import { printable, quoted, toSingleLine } from "../engine/quoted.js";
import type { FitTask } from "../engine/regions/fit.js";
import type { Rect, Region } from "../engine/regions/plan.js";
import { projectRoot } from "../host/node/install.js";
import { versions } from "../host/node/project.js";
import { isPathWithin } from "../runs/pathWithin.js";
import { Failure } from "../terminal/failure.js";

/** What a worker is told of a run, or of a part of one. */
export interface FarmJob {
  /** Of the splatbook that put it, from `codeVersion`. */
  version: string;
  config: TrainConfig;
  /** The picture's hash, by which the store has it. */
  picture: string;
  imageName: string;
  /** What the run's folder is called in the store. */
  run: string;
  recordEvery?: number;
  recordGradientsEvery?: number;
  /** Whether no pipeline may stand in for another. */
  comparesPipelines: boolean;
  /** Of a picture that is fitted by regions: what the picture above, and the run, are of. */
  part?: RegionTask;
}

/** A part of a picture. */
export interface RegionTask {
  part: FitTask;
  /** Of the whole picture. */
  size: Size;
  /** The hash of the blobs to begin with, by which the store has them. */
  blobs?: string;
}

/** What a worker tells of a run that it has ended, which the store has by then unless it was refused. */
export interface FarmResult {
  /** The worker's machine. */
  host: string;
  /** Why the run cannot be. */
  refused?: string;
}

const isHash = (value: unknown) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && (value as number) > 0);
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isRect = (value: unknown) =>
  isObject(value) &&
  ["x", "y", "width", "height"].every((name) => Number.isFinite((value as Rect)[name as keyof Rect]));

/** Whether a part of a picture says where it is; a window goes on with the blobs of regions. */
function isRegionTask({ part, size, blobs }: Partial<RegionTask>): boolean {
  if (!isObject(part) || !isRect({ x: 0, y: 0, ...size })) return false;
  const { window, region } = part as { window?: Rect; region?: Partial<Region> };
  return region ? [region.own, region.learned, region.bounds].every(isRect) : isRect(window) && blobs !== undefined;
}

const hashFormat = "64 hexadecimal digits";

/**
 * Returns a job as Redis has it, where anyone may have put it who can write there: what it names leads nowhere but into
 * the folder of the runs, and nobody changed it since it was put.
 * @throws Failure that names the first field that cannot be used
 */
export function readJob(id: string | undefined, data: unknown): FarmJob {
  const job = (isObject(data) ? data : {}) as Partial<FarmJob>;
  const { picture, imageName, run, recordEvery, recordGradientsEvery, config, part } = job;
  const checks: [field: string, value: unknown, isRight: boolean, allowed: string][] = [
    ["data", data, isObject(data), "an object"],
    ["config", config, isObject(config), "an object"],
    ["picture", picture, isHash(picture), hashFormat],
    ["imageName", imageName, typeof imageName === "string", "a text"],
    ["run", run, isPathWithin(run), 'a path below the folder of the runs, without ".."'],
    ["recordEvery", recordEvery, isCount(recordEvery), "a whole number above 0"],
    ["recordGradientsEvery", recordGradientsEvery, isCount(recordGradientsEvery), "a whole number above 0"],
    ["part", part, part === undefined || (isObject(part) && isRegionTask(part)), "a region, or a window and its blobs"],
    ["blobs", part?.blobs, part?.blobs === undefined || isHash(part.blobs), hashFormat],
    ["id", id, isObject(data) && id === idOf(job as FarmJob), "the hash of what it asks for"],
  ];
  for (const [field, value, isValid, allowed] of checks) {
    if (!isValid)
      throw new Failure(`This job cannot be read: its ${field} is ${quoted(value)}, but must be ${allowed}.`);
  }
  return job as FarmJob;
}

/** Returns what a worker answered, as Redis has it; an Error if that cannot be read. */
export function readResult(value: unknown): FarmResult | Error {
  const { host, refused } = (isObject(value) ? value : {}) as Partial<FarmResult>;
  const isRefusal = refused === undefined || typeof refused === "string";
  if (typeof host !== "string" || !isRefusal) return new Error(`The worker's answer cannot be read: ${quoted(value)}.`);
  return { host: toSingleLine(host), ...(refused !== undefined && { refused: printable(refused) }) };
}

/** What a job is known by: the hash of all that it is, so that the same job put twice is one. */
export function idOf(job: FarmJob): string {
  return createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 32);
}

/**
 * What the store calls something that a job is given: its hash, since jobs share pictures, and so do commands. What one
 * part of a picture is given has that job's id too, so that nobody else needs it once that is done.
 */
export function inputName(job: FarmJob, hash: string): string {
  return job.part ? `${hash}-${idOf(job)}` : hash;
}

/** What decides what a worker computes and writes. */
const hashedFolders = ["shaders", "src/engine", "src/host", "src/cli"];

/**
 * The version of this splatbook, such as "0.1.0 (3fa9c1d2)": checkouts of one version of the package may differ, so it
 * has a hash of the code with it.
 */
export function codeVersion(): string {
  version ??= readVersion();
  return version;
}

let version: string | undefined;

function readVersion(): string {
  const hash = createHash("sha256").update(readFileSync(join(projectRoot, "package-lock.json")));
  for (const folder of hashedFolders) {
    const entries = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths.sort()) hash.update(readFileSync(path));
  }
  return `${versions().splatbook} (${hash.digest("hex").slice(0, 8)})`;
}
