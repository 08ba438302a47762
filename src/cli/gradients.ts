import { join, resolve } from "node:path";
import type { GradientRecord } from "../engine/files/arrow.js";
import { writeRunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import { gradientNorms } from "../engine/statistics.js";
import { Trainer } from "../engine/training/trainer.js";
import { acquireFolder, isFolder } from "../runs/claimFolder.js";
import { Engines } from "../runs/engines.js";
import { checkOutput, printOutput, writeOutput } from "../runs/output.js";
import { Staging } from "../runs/staging.js";
import { checkPath } from "../terminal/flags.js";

export interface GradientsOptions {
  out?: string;
  json?: boolean;
}

export async function gradients(folder: string, options: GradientsOptions): Promise<void> {
  const ownPath = join(folder, runFiles.gradients);
  const out = checkPath(options.out ?? ownPath);
  const isInPlace = resolve(out) === resolve(ownPath);
  if (!isInPlace) await checkOutput({ ...options, out, force: true });
  const { openRunFolder } = await import("../runs/runFolder.js");
  await using _lock = isInPlace && (await isFolder(folder)) ? await acquireFolder(folder) : undefined;
  const run = await openRunFolder(folder);
  const record = await computeRecord(run);
  const norms = gradientNorms(record.gradients);
  const summary = [{ step: record.step, norms }, `gradients of step ${record.step}, ${describe(norms)}`] as const;
  if (isInPlace) {
    await replaceLastRecord(folder, run, record);
    printOutput({ ...options, out }, ...summary);
  } else {
    const { gradientsFile } = await import("../engine/files/arrow.js");
    await writeOutput({ ...options, out }, gradientsFile(run.description.config, [record]), ...summary);
  }
}

async function computeRecord(run: RunRecord): Promise<GradientRecord> {
  const image = await run.target();
  const state = await run.parameters();
  const { config } = run.description;
  using engines = new Engines(true);
  const engine = await engines.engineFor(config.pipeline);
  const { gradients } = await new Trainer(engine.adaptConfig(config), image, engine.backend, state).inspect();
  return { step: state.step + 1, gradients };
}

/** Replaces the run's last record, and updates the hash of its file in run.json. */
async function replaceLastRecord(folder: string, run: RunRecord, record: GradientRecord): Promise<void> {
  const { gradientsFile } = await import("../engine/files/arrow.js");
  const { description } = run;
  const earlierRecords = (await run.gradients()).filter(({ step }) => step < record.step);
  const staging = new Staging(folder);
  await staging.write(runFiles.gradients, gradientsFile(description.config, [...earlierRecords, record]));
  const files = description.files && { ...description.files, ...staging.hashes() };
  await staging.write(runFiles.description, writeRunDescription({ ...description, files }));
  await staging.commit();
}

function describe(norms: Record<string, number>): string {
  const parts = Object.entries(norms).map(([group, norm]) => `${group} ${norm.toPrecision(3)}`);
  return `norms ${parts.join(", ")}`;
}
