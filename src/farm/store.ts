import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { disk } from "../runs/disk.js";
import { readLarge } from "../runs/largeFiles.js";
import { lockName } from "../runs/lock.js";
import { pathWithin } from "../runs/pathWithin.js";
import { makeFolder, toWriteFailure, writeFile } from "../runs/staging.js";
import { Failure, isSystemError } from "../terminal/failure.js";

/** The folder of job inputs, attempts and regions. It is inside the command's folder, so that one rename commits a run. */
export const farmFolder = ".splatbook-farm";

/**
 * The folder of a command, which its workers share: inputs of jobs, attempts at jobs, and runs. An attempt is a folder
 * named after the job and the token of its lock. The next worker that gets the job renames the folder to its own token,
 * and a commit renames it to the run's name. So a worker that has lost its lock without noticing cannot commit.
 */
export class Store {
  /** @param folder path of the command's folder */
  constructor(readonly folder: string) {}

  /** Writes an input: an image as PNG file, or raw parameters of initial blobs. Its name is its hash. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    await writeFile(this.#inputPath(name), bytes);
  }

  /** @throws Failure if the input does not exist */
  async get(name: string): Promise<Uint8Array> {
    try {
      return await readLarge(this.#inputPath(name), name);
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw error;
      const sentence = `${this.folder} has no input ${name.slice(0, 8)}.`;
      throw new Failure(`${sentence} --runs must be the same folder on all machines.`);
    }
  }

  #inputPath(name: string): string {
    return pathWithin(join(this.folder, farmFolder, "inputs"), name);
  }

  /** @throws Failure if the path leads out of the command's folder */
  pathOf(run: string): string {
    return pathWithin(this.folder, run);
  }

  /**
   * Starts an attempt at a job, and returns its folder. It takes over the attempt of an earlier worker, which then
   * cannot commit, or an unfinished run.
   * @param id of the job
   * @param token unique token of the attempt
   */
  async startAttempt(id: string, token: string, run: string): Promise<string> {
    const attempts = join(this.folder, farmFolder, "attempts");
    await makeFolder(attempts);
    const folder = pathWithin(attempts, `${id}.${token.replace(/\W/g, "-")}`);
    const earlier = (await readdir(attempts)).filter((name) => name.startsWith(`${id}.`));
    for (const path of [...earlier.map((name) => join(attempts, name)), this.pathOf(run)]) {
      if ((await tryRename(path, folder)) !== "moved") continue;
      // It counts as held if its owner was on another machine.
      await disk.remove(join(folder, lockName));
      return folder;
    }
    await makeFolder(folder);
    return folder;
  }

  /**
   * Gives the folder of an attempt the name of its run.
   * @param isComplete returns whether a folder has the finished run, which is not replaced
   * @throws Failure if the job was given to another worker, or the folder cannot be renamed
   */
  async commit(attempt: string, run: string, isComplete: (folder: string) => Promise<boolean>): Promise<void> {
    const folder = this.pathOf(run);
    await makeFolder(dirname(folder));
    const moved = await tryRename(attempt, folder);
    if (moved === "missing") throw new Failure("The job was given to another worker.");
    if (moved === "taken" && (await isComplete(folder))) await disk.remove(attempt);
    else if (moved === "taken") {
      await disk.remove(folder);
      await tryRename(attempt, folder);
    }
    await disk.syncFolder(dirname(folder));
  }
}

/** Renames a folder. Returns "missing" if it does not exist, and "taken" if the new name exists. */
async function tryRename(from: string, to: string): Promise<"moved" | "missing" | "taken"> {
  try {
    await disk.rename(from, to);
    return "moved";
  } catch (error) {
    const code = isSystemError(error) ? error.code : undefined;
    if (code === "ENOENT") return "missing";
    if (code === "ENOTEMPTY" || code === "EEXIST") return "taken";
    throw toWriteFailure(to, error);
  }
}
