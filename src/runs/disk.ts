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
    const file = await open(path, flag);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  },

  /** Resolves when the contents of a file survive a power loss. */
  async sync(path: string): Promise<void> {
    const file = await open(path, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },

  /** Resolves when the names in a folder survive a power loss, if the system supports it. */
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
