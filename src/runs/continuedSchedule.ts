import { type EarlierBudget, hasEnded, type RunDescription } from "../engine/files/runDescription.js";

interface ContinuedSchedule {
  /** Step at which the schedule ends, if not the config's last step. */
  horizon?: number;
  earlier?: EarlierBudget[];
  /** Whether the search for a plateau continues. */
  keepsPlateau: boolean;
  /** A sentence about the schedule; absent if the run ends as planned. */
  note?: string;
}

/**
 * Returns the schedule of a continued run. A run with its planned end has the schedule of an uninterrupted run. With a
 * new end, the schedule is scaled to it.
 * @param requestedEnd the new last step; absent for the planned one
 */
export function continuedSchedule(
  run: string,
  description: RunDescription,
  requestedEnd: number | undefined,
): ContinuedSchedule {
  const { config, step, horizon, earlier, plateau } = description;
  const { steps } = config;
  const isFinished = hasEnded(description);
  if (requestedEnd === undefined || (requestedEnd === steps && !isFinished))
    return { horizon, earlier, keepsPlateau: true };
  // Without a schedule that depends on the end, the result equals that of a longer run.
  if (config.schedule === "constant" && config.growEvery === 0 && config.plateau === 0) return { keepsPlateau: false };
  const plannedEnd = plateau?.end ?? horizon ?? steps;
  return {
    earlier: [...(earlier ?? []), { step, steps, ...(horizon !== undefined && { horizon }) }],
    keepsPlateau: false,
    note: `The learning-rate schedule of ${run} ${isFinished ? "ended" : "was to end"} at step ${plannedEnd}. It is scaled to step ${requestedEnd}, so the result differs from a new run of ${requestedEnd} steps.`,
  };
}
