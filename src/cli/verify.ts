import { hasEnded, type RunDescription, regionProgress } from "../engine/files/runDescription.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import { formatCount } from "../terminal/formatCount.js";
import { printLines } from "../terminal/streams.js";

export interface VerifyOptions {
  json?: boolean;
  quiet?: boolean;
}

export async function verify(folder: string, { json, quiet }: VerifyOptions): Promise<void> {
  const { openRunFolder } = await import("../runs/runFolder.js");
  const run = await openRunFolder(folder);
  const { description } = run;
  const { step, config } = description;
  await readAllFiles(run);
  const files = Object.keys(description.files ?? {}).length;
  if (json) {
    const facts = {
      run: folder,
      whole: true,
      step,
      steps: config.steps,
      ...(isUnfinished(description) && { unfinished: regionProgress(description.regions!) }),
      hashed: files,
    };
    process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else if (!quiet) {
    const hashText = files > 0 ? `the SHA-256 of ${files} files matches run.json` : "run.json has no SHA-256";
    const stateText = isUnfinished(description)
      ? `complete so far, ${regionProgress(description.regions!)}, continue with --resume`
      : `complete at step ${formatCount(step)} of ${formatCount(config.steps)}`;
    printLines(`${folder}: ${stateText}, ${hashText}`);
  }
}

/** Returns whether a run in regions is unfinished. Its tables and images are written only at the end. */
function isUnfinished(description: RunDescription): boolean {
  return description.regions !== undefined && !hasEnded(description);
}

/**
 * Reads all files of a run.
 * @throws Failure that names a file that is missing or damaged
 */
async function readAllFiles(run: RunRecord): Promise<void> {
  const { files, regions } = run.description;
  for (const name of Object.keys(files ?? {})) await run.file(name);
  if (isUnfinished(run.description)) return;
  const frames = run.film.map(frameFile);
  const absentFiles: string[] = regions ? [runFiles.gradients, runFiles.optimizer] : [];
  for (const name of Object.values(runFiles).filter((name) => !absentFiles.includes(name))) {
    if (files && name !== runFiles.description && !(name in files)) {
      throw run.source.refusal(`${runFiles.description} does not list ${name}.`);
    }
  }
  for (const name of [runFiles.render, runFiles.target, ...frames]) await run.image(name);
  await run.metrics();
  await run.parameters();
  if (regions) return;
  await run.target();
  await run.gradients();
  await run.state();
}
