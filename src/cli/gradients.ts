import { join, resolve } from "node:path";
import type { GradientRecord } from "../engine/files/arrow.js";
import { writeRunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import { gradientNorms } from "../engine/statistics.js";
import { Trainer } from "../engine/training/trainer.js";
import { holdFolder, isFolder } from "../runs/claimFolder.js";
import { withEngine } from "../runs/openRun.js";
import { Staging, writeFile } from "../runs/staging.js";
import { outPath } from "../terminal/flags.js";

export interface GradientsOptions {
  out?: string;
  json?: boolean;
}

export async function gradients(folder: string, options: GradientsOptions): Promise<void> {
  const own = join(folder, runFiles.gradients);
  const out = outPath(options.out ?? own);
  const isInPlace = resolve(out) === resolve(own);
  const { openRunFolder } = await import("../runs/runFolder.js");
  const release = isInPlace && (await isFolder(folder)) ? await holdFolder(folder) : async () => {};
  try {
    const run = await openRunFolder(folder);
    const record = await recordOf(run);
    if (isInPlace) await replaceOwn(folder, run, record);
    else
      await writeFile(out, (await import("../engine/files/arrow.js")).gradientsFile(run.description.config, [record]));
    const norms = gradientNorms(record.gradients);
    if (options.json) process.stdout.write(`${JSON.stringify({ out, step: record.step, norms }, null, 2)}\n`);
    else process.stdout.write(`${out}: gradients of step ${record.step}, ${describe(norms)}\n`);
  } finally {
    await release();
  }
}

async function recordOf(run: RunRecord): Promise<GradientRecord> {
  const image = await run.target();
  const state = await run.parameters();
  const { config } = run.description;
  return withEngine(config, async (engine) => {
    const { gradients } = await new Trainer(engine.asTrained(config), image, engine.backend, state).inspect();
    return { step: state.step + 1, gradients };
  });
}

/** Puts a record in place of the run's last one, and its file's new hash into the description. */
async function replaceOwn(folder: string, run: RunRecord, record: GradientRecord): Promise<void> {
  const { gradientsFile } = await import("../engine/files/arrow.js");
  const { description } = run;
  const kept = (await run.gradients()).filter(({ step }) => step < record.step);
  const staging = new Staging(folder);
  await staging.write(runFiles.gradients, gradientsFile(description.config, [...kept, record]));
  const files = description.files && { ...description.files, ...staging.hashes() };
  await staging.write(runFiles.description, writeRunDescription({ ...description, files }));
  await staging.commit();
}

function describe(norms: Record<string, number>): string {
  const parts = Object.entries(norms).map(([group, norm]) => `${group} ${norm.toPrecision(3)}`);
  return `norms ${parts.join(", ")}`;
}
