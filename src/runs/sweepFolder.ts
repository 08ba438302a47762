import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { checkField } from "../engine/config.js";
import { formatField } from "../engine/fields.js";
import { runFiles } from "../engine/files/runFiles.js";
import { type SweptRow, sweepFile } from "../engine/files/sweepFile.js";
import { withPresentNames } from "../engine/oldNames.js";
import { describeSweep, type PlannedRun, runName, type Sweep, withoutResult } from "../engine/sweep/sweep.js";
import { withCpuPipeline } from "../host/node/engine.js";
import { encodePng } from "../host/node/imageFile.js";
import { Failure } from "../terminal/failure.js";
import { acquireFolder, existingFilesFailure } from "./claimFolder.js";
import { disk } from "./disk.js";
import { openRunFolder } from "./runFolder.js";
import { Staging, writeFile } from "./staging.js";
import { readSweepJob, type SweepJob } from "./sweepJob.js";
import { sweepTableFile, sweptResultOf } from "./sweepResults.js";

/** The files of a sweep, besides the run folders. */
const sweepFiles = { description: "sweep.json", table: sweepTableFile, target: "target.png" } as const;

/** The folder of a sweep: its description, image and table, and a folder for each run. */
export class SweepFolder {
  private constructor(readonly job: SweepJob) {}

  /**
   * Opens the folder of a job. It may already contain the same sweep with other values.
   * @throws Failure if it contains something else
   */
  static async open(job: SweepJob): Promise<SweepFolder> {
    const { out } = job;
    const hasFile = (name: string) => existsSync(join(out, name));
    if (hasFile(sweepFiles.description)) {
      await requireSame(job);
      await renameOldRuns(out);
    } else {
      const existingNames = [...Object.values(sweepFiles), runFiles.description].filter(hasFile);
      if (existingNames.length > 0) throw existingFilesFailure(out, existingNames);
    }
    return new SweepFolder(job);
  }

  /** Writes the description and the image of the sweep. */
  async describe(): Promise<void> {
    const { out, image } = this.job;
    const staging = new Staging(out);
    await staging.write(sweepFiles.target, await encodePng(image));
    await staging.write(sweepFiles.description, describe(this.job));
    await staging.commit();
  }

  /**
   * Returns a row for each run that was started or cannot be trained.
   * @throws Failure if a folder contains a run that is not part of the sweep
   */
  async rowsOf(plan: PlannedRun[]): Promise<(SweptRow | undefined)[]> {
    const rows: (SweptRow | undefined)[] = [];
    for (const run of plan) {
      const refused = () => ({ values: run.values, run: "", ...withoutResult("refused", run.refusal!) });
      rows.push(run.config ? await this.rowOf(run) : refused());
    }
    return rows;
  }

  folderOf(run: PlannedRun): string {
    return join(this.job.out, run.name);
  }

  /** Returns the row of a run that was trained before; undefined if it has not started. */
  async rowOf(run: PlannedRun): Promise<SweptRow | undefined> {
    const folder = this.folderOf(run);
    if (!run.config || !existsSync(folder)) return undefined;
    // This recovers the folder of a sweep that was killed.
    await (await acquireFolder(folder))();
    if (!existsSync(join(folder, runFiles.description))) return undefined;
    const { description } = await openRunFolder(folder);
    const { config, image, fallback } = description;
    const asTrained = fallback === undefined ? run.config : withCpuPipeline(run.config);
    if (JSON.stringify(config) !== JSON.stringify(asTrained) || image.hash !== this.job.imageHash) {
      throw new Failure(`${folder} contains a run that is not part of this sweep. ${outHint}`);
    }
    return { values: run.values, run: run.name, ...sweptResultOf(description) };
  }

  /**
   * Writes the table.
   * @param allRows rows of the plan; undefined for runs that have not started
   * @returns the rows that were written
   */
  async writeTable(allRows: (SweptRow | undefined)[]): Promise<SweptRow[]> {
    const rows = allRows.filter((row) => row !== undefined);
    const { sweep, imageName, image } = this.job;
    const { width, height } = image;
    const file = sweepFile({ sweep, image: { name: imageName, width, height }, rows });
    await writeFile(join(this.job.out, sweepFiles.table), file);
    return rows;
  }
}

/** Renames the run folders of earlier versions to their present names. */
async function renameOldRuns(out: string): Promise<void> {
  for (const name of readdirSync(out)) {
    const present = presentName(name);
    if (present !== name && !existsSync(join(out, present))) await disk.rename(join(out, name), join(out, present));
  }
  await disk.syncFolder(out);
}

/** Returns the present name of a run that an earlier version named, such as "composite=white,tile=8x4". */
function presentName(name: string): string {
  const parts = name.split(",").map((part) => part.split("="));
  if (parts.some(({ length }) => length !== 2)) return name;
  return runName(Object.entries<string>(withPresentNames(Object.fromEntries(parts))));
}

const outHint = "Choose another folder with --out.";

/** Returns the text of sweep.json, which `splatbook sweep --config` takes. */
function describe({ sweep, imageName, recordEvery, recordGradientsEvery }: SweepJob): string {
  const description = {
    image: sweepFiles.target,
    name: imageName,
    ...describeSweep(sweep),
    recordEvery,
    recordGradientsEvery,
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}

/** @throws Failure if the folder has a sweep with another image, config or fields. The values may differ. */
async function requireSame({ sweep, imageHash, out }: SweepJob): Promise<void> {
  const existing = await readSweepJob(join(out, sweepFiles.description));
  const differs = {
    image: existing.imageHash !== imageHash,
    config: commonFields(existing.sweep) !== commonFields(sweep),
    fields: variedFields(existing.sweep) !== variedFields(sweep),
  };
  const [difference] = Object.entries(differs).find(([, isDifferent]) => isDifferent) ?? [];
  if (difference) throw new Failure(`${out} contains a sweep with another ${difference}. ${outHint}`);
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
