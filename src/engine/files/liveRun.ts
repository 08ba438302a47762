import { hasEnded, type RunDescription } from "./runDescription.js";

/** What a run's process does: it trains, was stopped, failed or has finished. */
type RunState = "running" | "stopped" | "failed" | "finished";

/** The process that locked a folder: alive, or ended without unlocking it. */
export type LockState = "held" | "abandoned" | undefined;

/** A run below a folder. */
export interface ListedRun {
  /** Path of its folder, with slashes; "." for the folder itself. */
  path: string;
  state: RunState;
  /** Absent before the first checkpoint. */
  description?: RunDescription;
  /** Why run.json cannot be read. */
  error?: string;
  /** Changes with the state and with each checkpoint. */
  stamp: string;
}

/**
 * Returns the state of a run.
 * @param description absent before the first checkpoint
 */
export function runState(lock: LockState, description?: RunDescription): RunState {
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
