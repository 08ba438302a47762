import type { LiveRun } from "../../engine/files/liveRun.js";

/** Returns the address of a run's file. */
export function fileAddress(path: string, file: string): string {
  return `file?${new URLSearchParams({ run: path, file })}`;
}

/** Returns the address of a run's page, on which a step may be marked. */
export function pageAddress(path: string, step?: number): string {
  return `./?${new URLSearchParams({ run: path, ...(step !== undefined && { step: String(step) }) })}`;
}

/** Returns the name of a run: what its reader called it, or its path. */
export function nameOf({ path, notes }: Pick<LiveRun, "path" | "notes">): string {
  return notes.name || (path === "." ? "This run" : path);
}
