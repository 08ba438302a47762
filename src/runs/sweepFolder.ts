import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkField } from "../engine/config.js";
import { formatField } from "../engine/fields.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { type SweptRow, sweepFile, valuesByField } from "../engine/files/sweepFile.js";
import { withPresentNames } from "../engine/oldNames.js";
import type { PlannedRun, Sweep } from "../engine/sweep/sweep.js";
import { withCpuPipeline } from "../host/node/engine.js";
import { encodePng } from "../host/node/imageFile.js";
import { Failure } from "../terminal/failure.js";
import { acquireFolder } from "./claimFolder.js";
import { disk } from "./disk.js";
import { readLarge } from "./largeFiles.js";
import { openRunFolder, readTable } from "./runFolder.js";
import { Staging } from "./staging.js";
import { readSweepJson, type SweepJob } from "./sweepJob.js";

/** The files of a sweep, besides its runs' folders. */
const sweepFiles = { description: "sweep.json", table: "sweep.arrow", target: "target.png" } as const;

/** Where a sweep is kept: its description, its picture, its table, and a folder for each run. */
export class SweepFolder {
  private constructor(readonly job: SweepJob) {}

  /**
   * The folder that a job names, which may hold the same sweep already, perhaps with other values.
   * @throws Failure if it holds something else
   */
  static async open(job: SweepJob): Promise<SweepFolder> {
    const { out } = job;
    const hasFile = (name: string) => existsSync(join(out, name));
    if (hasFile(sweepFiles.description)) {
      await requireSame(job);
      await renameOldRuns(out);
    } else {
      const existingNames = [...Object.values(sweepFiles), runFiles.description].filter(hasFile);
      if (existingNames.length > 0) throw new Failure(`${out} holds ${existingNames.join(", ")} already; ${outHint}.`);
    }
    return new SweepFolder(job);
  }

  /** Writes what the sweep is. */
  async describe(): Promise<void> {
    const { out, image } = this.job;
    const staging = new Staging(out);
    await staging.write(sweepFiles.target, await encodePng(image));
    await staging.write(sweepFiles.description, describe(this.job));
    await staging.commit();
  }

  /** Where a run is kept. */
  folderOf(run: PlannedRun): string {
    return join(this.job.out, run.name);
  }

  /** What came of a run's earlier part: a row, and whether there is more to do. Undefined if it is yet to begin. */
  async earlierResult(run: PlannedRun, table: SweptRow[]): Promise<{ row: SweptRow; isDone: boolean } | undefined> {
    const folder = this.folderOf(run);
    if (!run.config || !existsSync(folder)) return undefined;
    // What a sweep that was killed left there is put in order, also where nothing more is to be trained.
    await (await acquireFolder(folder))();
    if (!existsSync(join(folder, runFiles.description))) return undefined;
    const { description } = await openRunFolder(folder);
    const { config, image, fallback, step, result, timings } = description;
    const asTrained = fallback === undefined ? run.config : withCpuPipeline(run.config);
    if (JSON.stringify(config) !== JSON.stringify(asTrained) || image.hash !== this.job.imageHash) {
      throw new Failure(`${folder} holds another run than the one that this sweep has there; ${outHint}.`);
    }
    const tableRow = table.find((row) => row.run === run.name && row.step === step);
    // Of a run that found a plateau, descriptions did not always tell that it ended there.
    const isDone = hasEnded(description) || (config.plateau > 0 && tableRow?.status === "done");
    const { seconds, stepsPerSecond } = timings;
    const row: SweptRow = {
      values: run.values,
      run: run.name,
      status: isDone ? "done" : "stopped",
      sentence: "",
      loss: result.loss,
      // JSON tells an infinite one as null.
      psnr: result.psnr ?? Number.POSITIVE_INFINITY,
      seconds,
      stepsPerSecond,
      step,
    };
    return { row, isDone };
  }

  /** The rows of the table as it was left; none if there is no table that can be read. */
  async readTable(): Promise<SweptRow[]> {
    try {
      const { table } = sweepFiles;
      const { rows } = await readTable("sweep", await readLarge(join(this.job.out, table), table));
      return rows.map((row) => ({ ...row, run: presentName(row.run) }));
    } catch {
      return [];
    }
  }

  /**
   * Writes the table anew.
   * @param allRows rows, as far as they are known
   * @returns those that are
   */
  async writeTable(allRows: (SweptRow | undefined)[]): Promise<SweptRow[]> {
    const rows = allRows.filter((row) => row !== undefined);
    const { sweep, imageName, image } = this.job;
    const { width, height } = image;
    const staging = new Staging(this.job.out);
    await staging.write(sweepFiles.table, sweepFile({ sweep, image: { name: imageName, width, height }, rows }));
    await staging.commit();
    return rows;
  }
}

/** Gives the folders of runs that an earlier version trained the names that such runs have now. */
async function renameOldRuns(out: string): Promise<void> {
  for (const name of readdirSync(out)) {
    const present = presentName(name);
    if (present !== name && !existsSync(join(out, present))) await disk.rename(join(out, name), join(out, present));
  }
  await disk.syncFolder(out);
}

/** Returns a run's name, such as "composite=white,tile=8x4", with present names. */
function presentName(name: string): string {
  const parts = name.split(",").map((part) => part.split("="));
  if (parts.some(({ length }) => length !== 2)) return name;
  const variedFields = Object.entries(withPresentNames(Object.fromEntries(parts)));
  return variedFields.map((field) => field.join("=")).join();
}

const outHint = "choose another folder with --out";

/** sweep.json's text: what `splatbook sweep SWEEP.json` takes. */
function describe({ sweep, imageName, recordEvery, recordGradientsEvery }: SweepJob): string {
  const description = {
    image: sweepFiles.target,
    name: imageName,
    config: sweep.config,
    vary: valuesByField(sweep),
    recordEvery,
    recordGradientsEvery,
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}

/** Values may be added or left out; everything else that a run has in common with its neighbours has to stay. */
async function requireSame({ sweep, imageHash, out }: SweepJob): Promise<void> {
  const existing = await readSweepJson(join(out, sweepFiles.description));
  const difference =
    existing.imageHash !== imageHash
      ? "picture"
      : commonFields(existing.sweep) !== commonFields(sweep)
        ? "config"
        : variedFields(existing.sweep) !== variedFields(sweep)
          ? "fields"
          : undefined;
  if (difference) throw new Failure(`${out} holds a sweep with another ${difference}; ${outHint}.`);
}

function commonFields({ config }: Sweep): string {
  return Object.entries(config)
    .map(([field, value]) => `${field}=${formatField(checkField(field, value))}`)
    .sort()
    .join();
}

function variedFields({ vary }: Sweep): string {
  return vary.map(({ field }) => field).join();
}
