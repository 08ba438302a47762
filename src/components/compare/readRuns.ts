import { filmFolder, regionsFolder, runFiles } from "../../engine/files/runFiles.js";
import type { PickedFile } from "../../host/browser/pickedFiles.js";
import { type ComparedRun, folderRun, tableRun } from "./comparedRun.js";

/** Folders within a run folder. */
const subfolders = [filmFolder, regionsFolder];

let fileCount = 0;

/**
 * Reads run folders at any depth, and single Arrow files.
 * @returns the runs, and one sentence for each file that cannot be read
 */
export async function readRuns(files: readonly PickedFile[]) {
  const folders = new Set(
    files.filter(({ path }) => nameOf(path) === runFiles.description).map(({ path }) => folderOf(path)),
  );
  const runFolderOf = (path: string) => {
    const folder = folderOf(path);
    return folders.has(folder) ? folder : subfolders.includes(nameOf(folder)) ? folderOf(folder) : undefined;
  };
  const runs: ComparedRun[] = [];
  const errors: string[] = [];
  const attempt = async (make: (id: string) => Promise<ComparedRun>) => {
    try {
      runs.push(await make(`file ${++fileCount}`));
    } catch (error) {
      errors.push((error as Error).message);
    }
  };
  for (const folder of folders) {
    const inside = files.filter(({ path }) => runFolderOf(path) === folder);
    const byName = new Map(
      inside.map(({ path, file }) => [folder === "" ? path : path.slice(folder.length + 1), file]),
    );
    await attempt((id) => folderRun(id, nameOf(folder) || "the chosen files", byName));
  }
  // A sweep's table repeats what its runs contain.
  const isSweepTable = (path: string) => nameOf(path) === "sweep.arrow" && folders.size > 0;
  const remaining = files.filter(({ path }) => !folders.has(runFolderOf(path) ?? path) && !isSweepTable(path));
  for (const { path, file } of remaining) {
    if (path.endsWith(".arrow")) await attempt((id) => tableRun(id, nameOf(path), file));
    // Other files in a folder were not chosen by themselves.
    else if (!path.includes("/"))
      errors.push(`${path} is neither an Arrow file nor part of a run folder. Drop the whole folder.`);
  }
  if (runs.length === 0 && errors.length === 0) {
    const [first] = files;
    errors.push(
      first
        ? `${first.path.split("/")[0]} contains no run: none of its folders has a run.json.`
        : "There were no files to read.",
    );
  }
  return { runs, errors };
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
