import { readFile } from "node:fs/promises";
import {
  type Quality,
  type QualityOrigin,
  type QualityRun,
  qualityFile,
  readQuality,
  runKey,
} from "../engine/bench/qualityResult.js";
import { followLink, writeFile } from "../runs/staging.js";
import { Failure, isSystemError, reasonOf } from "../terminal/failure.js";
import { qualityJobs } from "./qualityJobs.js";

/** The file of the table. It is written after each run, so an interrupted command loses none. */
export class QualityRecord {
  #runs: QualityRun[];

  private constructor(
    readonly path: string,
    readonly origin: QualityOrigin,
    runs: QualityRun[],
  ) {
    this.#runs = runs;
  }

  /**
   * Opens the file, or starts an empty one.
   * @throws Failure if it was recorded on another adapter
   */
  static async open(out: string, origin: QualityOrigin): Promise<QualityRecord> {
    const path = await followLink(out);
    const bytes = await readIfExists(path);
    if (!bytes) return new QualityRecord(path, origin, []);
    const previous = readOrFail(path, () => readQuality(bytes));
    if (previous.adapter !== origin.adapter) {
      throw new Failure(
        `${path} was recorded on ${previous.adapter}, but this is ${origin.adapter}; choose another --out.`,
      );
    }
    return new QualityRecord(path, origin, previous.runs);
  }

  get quality(): Quality {
    return { ...this.origin, runs: this.#runs };
  }

  /** Returns whether a run of the same row, image and configuration is recorded. */
  has(run: Pick<QualityRun, "row" | "image" | "width" | "height" | "config">): boolean {
    return this.#runs.some(
      ({ row, image, width, height, config }) =>
        row === run.row &&
        image === run.image &&
        width === run.width &&
        height === run.height &&
        JSON.stringify(config) === JSON.stringify(run.config),
    );
  }

  /** Adds a run, or replaces the one of the same row, image and number of blobs, and writes the file. */
  async add(run: QualityRun): Promise<void> {
    const key = runKey(run);
    this.#runs = sortedRuns([...this.#runs.filter((other) => runKey(other) !== key), run]);
    await writeFile(this.path, qualityFile({ ...this.origin, date: run.date, runs: this.#runs }));
  }
}

/** Returns runs in the order of the rows and numbers of blobs; the images of a row keep their order. */
function sortedRuns(runs: QualityRun[]): QualityRun[] {
  const rows = qualityJobs().map(({ part, row }) => `${part} ${row}`);
  const rankOf = ({ part, row }: QualityRun) => rows.indexOf(`${part} ${row}`);
  return runs.toSorted((a, b) => rankOf(a) - rankOf(b) || a.blobs - b.blobs);
}

function readOrFail<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Failure(`${path} cannot be continued: ${(error as Error).message}`);
  }
}

async function readIfExists(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new Failure(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}
