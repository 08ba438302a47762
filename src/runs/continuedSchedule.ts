import { ConfigError } from "../engine/config.js";
import { type EarlierBudget, hasEnded, type RunDescription } from "../engine/files/runDescription.js";

/** What becomes of the schedule of a run that is given another end. */
interface ContinuedSchedule {
  /** Where it ends, if not at the config's last step. */
  horizon?: number;
  earlier?: EarlierBudget[];
  /** Whether the run goes on looking for the same plateau. */
  keepsPlateau: boolean;
  /** What was decided, in a sentence; absent where the run goes on as it was planned. */
  note?: string;
}

/**
 * Where the schedule of a continued run ends. A run that goes on to the end that it was planned for has the schedule of
 * one that was never stopped. Given another end, it is stretched to that, or held at its own.
 * @param requestedEnd the step at which it is to end; where it was planned to, if none was asked for
 * @param mode what was typed after --resume-schedule
 * @throws ConfigError
 */
export function continuedSchedule(
  run: string,
  description: RunDescription,
  requestedEnd: number | undefined,
  mode = "stretch",
): ContinuedSchedule {
  if (mode !== "stretch" && mode !== "hold") throw new ConfigError("resumeSchedule", mode, "stretch or hold");
  const { config, step, horizon, earlier, plateau } = description;
  const { steps } = config;
  const isFinished = hasEnded(description);
  if (requestedEnd === undefined || (requestedEnd === steps && !isFinished))
    return { horizon, earlier, keepsPlateau: true };
  // What depends on no end is what a longer run would have been.
  if (config.schedule === "constant" && config.growEvery === 0 && config.plateau === 0) return { keepsPlateau: false };
  const plannedEnd = plateau?.end ?? horizon ?? steps;
  const endPhrase = isFinished ? "ended" : "was to end";
  const keepsFinalRates = mode === "hold";
  const note = keepsFinalRates
    ? `The learning-rate schedule of ${run} ${endPhrase} at step ${plannedEnd}. Later steps keep its final rates. To stretch it to step ${requestedEnd} instead, use --resume-schedule stretch.`
    : `The learning-rate schedule of ${run} ${endPhrase} at step ${plannedEnd}. It is stretched to step ${requestedEnd}, so the result differs from a new run of ${requestedEnd} steps. To keep its final rates instead, use --resume-schedule hold.`;
  return {
    ...(keepsFinalRates && { horizon: plannedEnd }),
    earlier: [...(earlier ?? []), { step, steps, ...(horizon !== undefined && { horizon }) }],
    keepsPlateau: false,
    note,
  };
}
