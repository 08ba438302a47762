import { readdir } from "node:fs/promises";
import { filmFolder, runFiles } from "../engine/runFiles.js";
import { Failure } from "./failure.js";
import { makeFolder } from "./staging.js";

/**
 * Makes the folder of a new run.
 * @returns removes it again, if nothing is in it by then
 * @throws Failure if it holds a run, or a file that the run would replace
 */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const release = await makeFolder(folder);
  const names = await readdir(folder);
  if (names.includes(runFiles.description)) {
    throw new Failure(
      `${folder} holds another run already; continue it with --resume ${folder}, or choose another folder with --out.`,
    );
  }
  const taken = [...Object.values(runFiles), filmFolder].filter((name) => names.includes(name));
  if (taken.length > 0) {
    throw new Failure(`${folder} holds ${taken.join(", ")} already; choose another folder with --out.`);
  }
  return release;
}
