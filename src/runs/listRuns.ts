import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type ListedRun, runState } from "../engine/files/liveRun.js";
import { readRunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { lockFile, lockState } from "./lock.js";
import { candidatePaths, committedFolder } from "./staging.js";

/** Folders of other programs, which may be large. */
const skippedFolders = /^\.|^node_modules$/;

/**
 * Returns the runs below a folder, at any depth: those that train, then the others, latest first.
 * @param known runs that were listed before, by path. Only those that have changed are read again.
 */
export async function listRuns(root: string, known: Map<string, ListedRun>): Promise<ListedRun[]> {
  const runs = await runsBelow(root, root, known);
  const rank = ({ state, description }: ListedRun) =>
    state === "running" ? Number.POSITIVE_INFINITY : Date.parse(description?.timings.finishedAt ?? "") || 0;
  known.clear();
  for (const run of runs) known.set(run.path, run);
  return runs.sort((a, b) => (rank(a) === rank(b) ? (a.path < b.path ? -1 : 1) : rank(b) - rank(a)));
}

async function runsBelow(root: string, folder: string, known: Map<string, ListedRun>): Promise<ListedRun[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.map(({ name }) => name));
  const isRun = [runFiles.description, committedFolder, lockFile].some((name) => names.has(name));
  const path = relative(root, folder).replaceAll(sep, "/") || ".";
  const run = isRun && !names.has("sweep.json") ? await readRun(path, folder, known.get(path)) : undefined;
  if (run) return [run];
  const folders = entries.filter((entry) => entry.isDirectory() && !skippedFolders.test(entry.name));
  return (await Promise.all(folders.map(({ name }) => runsBelow(root, join(folder, name), known)))).flat();
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
