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
 * Returns whether a run, or a region of it, diverged, and its loss has not fallen to a quarter, 6 dB, since, or has not
 * passed the step at which a number was not finite. Alerts of regions that recover are not saved.
 */
export function hasDiverged({
  alerts = [],
  result,
  step,
}: Pick<RunDescription, "alerts" | "result" | "step">): boolean {
  const alert = alerts.findLast(({ kind }) => kind === "diverged");
  if (!alert || alert.part !== undefined) return alert !== undefined;
  return alert.loss === null ? step < alert.step : result.loss > alert.loss / 4;
}
