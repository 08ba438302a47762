import { filmFolder, regionsFolder, runFiles } from "../../engine/files/runFiles.js";
import type { PickedFile } from "../../host/browser/pickedFiles.js";
import { type ComparedRun, folderRun } from "./comparedRun.js";

/** Folders within a run folder. */
const subfolders = [filmFolder, regionsFolder];

let folderCount = 0;

/**
 * Reads run folders at any depth.
 * @returns the runs, and one sentence for each that cannot be read
 */
export async function readRuns(files: readonly PickedFile[]) {
  const folders = new Set(
    files.filter(({ path }) => nameOf(path) === runFiles.description).map(({ path }) => folderOf(path)),
  );
  const runs: ComparedRun[] = [];
  const errors: string[] = [];
  for (const folder of folders) {
    const inFolder = files.filter(({ path }) => {
      const own = folderOf(path);
      return own === folder || (folderOf(own) === folder && subfolders.includes(nameOf(own)));
    });
    const byName = new Map(inFolder.map(({ path, file }) => [folder ? path.slice(folder.length + 1) : path, file]));
    try {
      runs.push(await folderRun(`folder ${++folderCount}`, nameOf(folder) || "the chosen files", byName));
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  if (folders.size === 0) {
    const name = files[0]?.path.split("/")[0] ?? "The selection";
    errors.push(`${name} contains no run: no folder in it has a run.json. Drop or pick a whole run folder.`);
  }
  return { runs, errors };
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
