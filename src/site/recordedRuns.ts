import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import { thumbnail } from "../host/node/imageFile.js";
import { projectRoot } from "../host/node/install.js";
import { readReport } from "../report/report.js";
import { openRunFolder } from "../runs/runFolder.js";
import { readSweepResults, sweepTableFile } from "../runs/sweepResults.js";
import { Failure } from "../terminal/failure.js";

/** The folder of the published runs, relative to the project. */
const folder = "data/runs";

/** Its absolute path. */
export const recordedRunsFolder = join(projectRoot, folder);

/** Pixels of a thumbnail's shorter side. Pages show it at half the size, for screens with two pixels per CSS pixel. */
const thumbnailSide = 144;

/**
 * Reads and checks the runs that the site publishes, and returns them, the latest first.
 * @throws Failure with the folder and the reason if a run cannot be published
 */
export async function recordedRuns(runsFolder = recordedRunsFolder): Promise<RecordedRun[]> {
  const entries = await readdir(runsFolder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  const runs: RecordedRun[] = [];
  for (const name of names.sort()) runs.push(await recordedRun(runsFolder, name));
  const time = ({ description }: RecordedRun) => Date.parse(description.timings.finishedAt);
  return runs.sort((a, b) => time(b) - time(a));
}

async function recordedRun(runsFolder: string, name: string): Promise<RecordedRun> {
  checkName(name, name);
  const sweep = await readSweepResults(join(runsFolder, name));
  const path = sweep ? `${name}/${sweep.best.run}` : name;
  if (sweep) checkName(path, sweep.best.run);
  const run = await openRunFolder(join(runsFolder, path), `${folder}/${path}`);
  const { description } = run;
  await readReport(run);
  // Readers download this file.
  if (description.result.file) await run.file(runFiles.splat2d);
  const { optimizer, ...others } = runFiles;
  const files: RecordedRun["files"] = [];
  for (const file of [...Object.values(others), ...run.film.map(frameFile)]) {
    const fileStats = await stat(join(runsFolder, path, file)).catch(() => undefined);
    if (fileStats) files.push({ name: file, bytes: fileStats.size });
  }
  const render = await run.file(runFiles.render);
  const sweptRuns = sweep && { sweptRuns: sweep.table.rows.length };
  return { name, folder: path, ...sweptRuns, description, thumbnail: await thumbnail(render, thumbnailSide), files };
}

/** @throws Failure if a name cannot become part of an address */
function checkName(path: string, name: string): void {
  if (/^[\w-]+$/.test(name) && name !== "index") return;
  throw new Failure(
    `The run ${folder}/${path} cannot be published: its name may contain only letters, digits, - and _.`,
  );
}

/** Yields the paths of the recorded runs' pages and files, for Framework's dynamicPaths. */
export async function* recordedPaths(): AsyncGenerator<string> {
  for (const { name, folder: path, sweptRuns, files } of await recordedRuns()) {
    yield `/reports/${name}`;
    for (const file of files) yield `/${folder}/${path}/${file.name}`;
    if (sweptRuns !== undefined) yield `/${folder}/${name}/${sweepTableFile}`;
  }
}
