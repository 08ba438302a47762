import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordedRun } from "../engine/files/recordedRun.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import { thumbnail } from "../host/node/imageFile.js";
import { projectRoot } from "../host/node/install.js";
import { readAnyReport } from "../report/report.js";
import { openRunFolder } from "../runs/runFolder.js";
import { Failure } from "../terminal/failure.js";

/** Where runs to publish lie, relative to the project. */
const folder = "data/runs";

/** Where they lie on this machine. */
export const recordedRunsFolder = join(projectRoot, folder);

/** Pixels of a thumbnail's shorter side, which is shown half as long: screens have finer pixels. */
const thumbnailSide = 144;

/**
 * The runs that the site publishes, the latest first. Each is read whole.
 * @throws Failure that names the folder of a run that cannot be published, and says why
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
  // It becomes a page's address.
  if (!/^[\w-]+$/.test(name) || name === "index") {
    throw new Failure(
      `The run ${folder}/${name} cannot be published: its name may have letters, digits, - and _ only.`,
    );
  }
  const run = await openRunFolder(join(runsFolder, name), `${folder}/${name}`);
  const { description } = run;
  await readAnyReport(run);
  // A page reads its parts as they are asked for.
  if (description.regions) await run.file(runFiles.parameters);
  if (description.result.file) await run.file(runFiles.splat2d);
  const { optimizer, ...others } = runFiles;
  const files: RecordedRun["files"] = [];
  for (const file of [...Object.values(others), ...run.film.map(frameFile)]) {
    const fileStats = await stat(join(runsFolder, name, file)).catch(() => undefined);
    if (fileStats) files.push({ name: file, bytes: fileStats.size });
  }
  const render = await run.file(runFiles.render);
  return { name, description, thumbnail: await thumbnail(render, thumbnailSide), files };
}

/** The paths of all that the site has of recorded runs: a page and the files of each, as Framework's dynamicPaths. */
export async function* recordedPaths(): AsyncGenerator<string> {
  for (const { name, files } of await recordedRuns()) {
    yield `/reports/${name}`;
    for (const file of files) yield `/${folder}/${name}/${file.name}`;
  }
}
