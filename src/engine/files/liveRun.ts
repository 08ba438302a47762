import { type Checked, listOf, object, text } from "./fieldChecks.js";
import { hasEnded, type RunDescription, regionProgress } from "./runDescription.js";

const checkNotes = object({ name: text, group: text, tags: listOf(text), notes: text });

/** What people write about a run. It is in a file of its own, since training replaces run.json. */
export type RunNotes = Checked<typeof checkNotes>;

export const noNotes: RunNotes = { name: "", group: "", tags: [], notes: "" };

/** The most characters of notes.json. */
export const maxNotesLength = 100_000;

/**
 * Reads notes.json, or notes from a page. Other fields are dropped.
 * @throws Error of one sentence if it is not JSON, too long or has an invalid field
 */
export function readNotes(json: string): RunNotes {
  if (json.length > maxNotesLength) throw new Error("Notes must have at most 100,000 characters.");
  let parsed: Partial<RunNotes>;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new Error("notes.json is not JSON.");
  }
  const { name, group, tags, notes } = { ...noNotes, ...parsed };
  const value = { name, group, tags, notes };
  checkNotes("", value);
  return value;
}

/** What a run's process does: it trains, was stopped, failed or has finished. */
export type RunState = "running" | "stopped" | "failed" | "finished";

/** The process that locked a folder: alive, or ended without unlocking it. */
export type LockState = "held" | "abandoned" | undefined;

/** A run in a folder, as a live view shows it. */
export interface LiveRun {
  /** Path of its folder below the folder that is viewed, with slashes; "." for that folder. */
  path: string;
  state: RunState;
  /** run.json without its long lists; absent before the first checkpoint. */
  description?: Omit<RunDescription, "files" | "regions">;
  /** The progress of a run in regions, in words. */
  regions?: string;
  notes: RunNotes;
  /** Why run.json or notes.json cannot be read. */
  error?: string;
}

/** A change of a run, or the path of one that was removed. */
export type RunChange = LiveRun | { path: string; removed: true };

/** Returns a run without the lists that only its report needs. */
export function liveRun(
  path: string,
  lock: LockState,
  notes: RunNotes,
  description?: RunDescription,
  error?: string,
): LiveRun {
  const state = stateOf(lock, description);
  if (!description) return { path, state, notes, ...(error && { error }) };
  const { files, regions, ...short } = description;
  return {
    path,
    state,
    description: short,
    ...(regions && { regions: regionProgress(regions) }),
    notes,
    ...(error && { error }),
  };
}

function stateOf(lock: LockState, description: RunDescription | undefined): RunState {
  if (lock === "held") return "running";
  if (lock === "abandoned") return "failed";
  if (!description) return "stopped";
  if (hasDiverged(description)) return "failed";
  return hasEnded(description) || description.goal?.reached ? "finished" : "stopped";
}

/**
 * Returns whether a run, or a region of it, diverged, and its loss has not fallen to a quarter, 6 dB, since. Alerts of
 * regions that recover are not saved.
 */
export function hasDiverged({ alerts = [], result }: Pick<RunDescription, "alerts" | "result">): boolean {
  const alert = alerts.findLast(({ kind }) => kind === "diverged");
  return alert !== undefined && (alert.part !== undefined || alert.loss === null || result.loss > alert.loss / 4);
}
