import { readdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { type ListedRun, runState } from "../engine/files/liveRun.js";
import { readRunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { lockName, lockState } from "./lock.js";
import { candidatePaths, committedFolder } from "./staging.js";

/** Folders of other programs, which may be large. */
const skippedFolders = /^\.|^node_modules$/;

/**
 * Returns the runs below a folder, at any depth: those that train, then the others, latest first.
 * @param known runs that were listed before, by path. Only those that have changed are read again.
 * @param path the only run to look for, if it is known
 */
export async function listRuns(root: string, known: Map<string, ListedRun>, path = "."): Promise<ListedRun[]> {
  const runs = await runsBelow(root, known.has(path) ? path : ".", known);
  const rank = ({ state, description }: ListedRun) =>
    state === "running" ? Number.POSITIVE_INFINITY : Date.parse(description?.timings.finishedAt ?? "") || 0;
  for (const run of runs) known.set(run.path, run);
  return runs.sort((a, b) => (rank(a) === rank(b) ? (a.path < b.path ? -1 : 1) : rank(b) - rank(a)));
}

async function runsBelow(root: string, path: string, known: Map<string, ListedRun>): Promise<ListedRun[]> {
  const folder = join(root, path);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const has = (file: string) => entries.some(({ name }) => name === file);
  const isRun = !has("sweep.json") && [runFiles.description, committedFolder, lockName].some(has);
  const run = isRun ? await readRun(path, folder, known.get(path)) : undefined;
  if (run) return [run];
  const folders = entries.filter((entry) => entry.isDirectory() && !skippedFolders.test(entry.name));
  return (await Promise.all(folders.map(({ name }) => runsBelow(root, posix.join(path, name), known)))).flat();
}

async function readRun(path: string, folder: string, before?: ListedRun): Promise<ListedRun | undefined> {
  const lock = await lockState(folder);
  for (const file of candidatePaths(folder, runFiles.description)) {
    const found = await stat(file).catch(() => undefined);
    if (!found) continue;
    const stamp = `${lock} ${found.ino} ${found.size} ${found.mtimeMs}`;
    if (before?.stamp === stamp) return before;
    try {
      const description = readRunDescription(await readFile(file, "utf8"));
      return { path, state: runState(lock, description), description, stamp };
    } catch (error) {
      return { path, state: runState(lock), error: (error as Error).message, stamp };
    }
  }
  return lock && { path, state: runState(lock), stamp: lock };
}
