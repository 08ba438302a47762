import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TrainConfig } from "../../engine/config.js";
import type { Size } from "../../engine/picture/image.js";
import type { Part } from "../../engine/regions/learn.js";
import { projectRoot } from "../install.js";
import { versions } from "../versions.js";

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
  part?: FarmPart;
}

/** A part of a picture. */
export interface FarmPart {
  part: Part;
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

/** What a job is known by: the hash of all that it is, so that the same job put twice is one. */
export function idOf(job: FarmJob): string {
  return createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 32);
}

/**
 * What the store calls something that a job is given: its hash, since jobs share pictures, and so do commands. What one
 * part of a picture is given has that job's id too, so that nobody else needs it once that is done.
 */
export function givenName(job: FarmJob, hash: string): string {
  return job.part ? `${hash}-${idOf(job)}` : hash;
}

/** What decides what a worker computes and writes. */
const sources = ["shaders", "src/engine", "src/host", "src/cli"];

/**
 * The version of this splatbook, such as "0.1.0 (3fa9c1d2)": checkouts of one version of the package may differ, so it
 * has a hash of the code with it.
 */
export function codeVersion(): string {
  const hash = createHash("sha256").update(readFileSync(join(projectRoot, "package-lock.json")));
  for (const folder of sources) {
    const entries = readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths.sort()) hash.update(readFileSync(path));
  }
  return `${versions().splatbook} (${hash.digest("hex").slice(0, 8)})`;
}
