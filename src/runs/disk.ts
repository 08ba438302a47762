import { mkdir, open, rename, rm, rmdir } from "node:fs/promises";
import { isSystemError } from "../terminal/failure.js";

/** The disk operations that write folders. Tests replace them to simulate failures. */
export const disk = {
  mkdir: (path: string): Promise<unknown> => mkdir(path),
  rename,
  rmdir,

  /** Removes a file or folder recursively, if it exists. */
  remove: (path: string): Promise<void> => rm(path, { recursive: true, force: true }),

  /** @param flag as in `open`: "w" overwrites, "a" appends, "wx" fails if the file exists */
  async write(path: string, bytes: Uint8Array | string, flag: "w" | "a" | "wx"): Promise<void> {
    await using file = await open(path, flag);
    await file.writeFile(bytes);
  },

  /** Resolves when the contents of a file survive a power loss. */
  async sync(path: string): Promise<void> {
    await using file = await open(path, "r+");
    await file.sync();
  },

  /** Resolves when the names in a folder survive a power loss, if the system supports it. */
  async syncFolder(path: string): Promise<void> {
    try {
      await using folder = await open(path, "r");
      await folder.sync();
    } catch (error) {
      if (!isSystemError(error) || !["EINVAL", "EPERM", "EISDIR", "EACCES"].includes(error.code ?? "")) throw error;
    }
  },
};
