import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import type { GradientRecord } from "../engine/arrow.js";
import { runFiles } from "../engine/runFiles.js";
import { gradientNorms } from "../engine/statistics.js";
import { outPath } from "./flags.js";
import { withTrainer } from "./openRun.js";
import { writeFile } from "./staging.js";

interface GradientsOptions {
  out?: string;
  json?: boolean;
}

export function gradientsCommand(): Command {
  return new Command("gradients")
    .description("one backward pass at a run's parameters")
    .argument("<run>", "a folder that splatbook fit wrote")
    .option("--out <file>", "the Arrow file to write (default: the run's gradients.arrow, which keeps what it records)")
    .option("--json", "print one JSON object on stdout and nothing else")
    .addHelpText("after", "\nExample:\n  splatbook gradients runs/photo --out gradients.arrow")
    .action(gradients);
}

async function gradients(folder: string, options: GradientsOptions): Promise<void> {
  const out = outPath(options.out ?? join(folder, runFiles.gradients));
  const { openRunFolder } = await import("./runFolder.js");
  const { gradientsFile } = await import("../engine/arrow.js");
  const run = await openRunFolder(folder);
  const image = await run.target();
  const state = await run.parameters();
  const recorded = options.out === undefined ? await run.gradients() : [];
  const record = await withTrainer(run.description.config, state, image, async (trainer): Promise<GradientRecord> => {
    const { gradients } = await trainer.inspect();
    return { step: state.step + 1, gradients };
  });
  const kept = recorded.filter(({ step }) => step < record.step);
  const bytes = gradientsFile(run.description.config, [...kept, record]);
  await writeFile(dirname(out), basename(out), bytes);
  const norms = gradientNorms(record.gradients);
  if (options.json) process.stdout.write(`${JSON.stringify({ out, step: record.step, norms }, null, 2)}\n`);
  else process.stdout.write(`${out}: gradients of step ${record.step}, ${describe(norms)}\n`);
}

function describe(norms: Record<string, number>): string {
  const parts = Object.entries(norms).map(([group, norm]) => `${group} ${norm.toPrecision(3)}`);
  return `norms ${parts.join(", ")}`;
}
