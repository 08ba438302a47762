import { mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { isSystemError } from "../terminal/failure.js";

/** All that changes a disk while a folder is written, in one place, so that the tests can let any of it fail. */
export const disk = {
  mkdir: (path: string): Promise<unknown> => mkdir(path),
  rename,
  rmdir,

  /** Removes a file, or a folder with all that is in it, if it is there. */
  remove: (path: string): Promise<void> => rm(path, { recursive: true, force: true }),

  /** @param flag as `open` takes it: "w" writes anew, "a" adds, "wx" fails if there is a file */
  async write(path: string, bytes: Uint8Array | string, flag: "w" | "a" | "wx"): Promise<void> {
    const file = await open(path, flag);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  },

  /** Resolves when what a file holds outlasts a loss of power. */
  async sync(path: string): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },

  /** The same for the names in a folder, where the system knows of that. */
  async syncFolder(path: string): Promise<void> {
    try {
      const folder = await open(path, "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (error) {
      if (!isSystemError(error) || !["EINVAL", "EPERM", "EISDIR", "EACCES"].includes(error.code ?? "")) throw error;
    }
  },
};
