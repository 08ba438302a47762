import { ConfigError } from "../engine/config.js";
import { type EarlierPart, hasEnded, type RunDescription } from "../engine/files/runDescription.js";

/** What becomes of the schedule of a run that is given another end. */
interface ContinuedSchedule {
  /** Where it ends, if not at the config's last step. */
  horizon?: number;
  earlier?: EarlierPart[];
  /** Whether the run goes on looking for the same plateau. */
  keepsPlateau: boolean;
  /** What was decided, in a sentence; absent where the run goes on as it was planned. */
  note?: string;
}

/**
 * Where the schedule of a continued run ends. A run that goes on to the end that it was planned for has the schedule of
 * one that was never stopped. Given another end, it is stretched to that, or held at its own.
 * @param asked the step at which it is to end; where it was planned to, if none was asked for
 * @param becomes what was typed after --resume-schedule
 * @throws ConfigError
 */
export function continuedSchedule(
  run: string,
  description: RunDescription,
  asked: number | undefined,
  becomes = "stretch",
): ContinuedSchedule {
  if (becomes !== "stretch" && becomes !== "hold") throw new ConfigError("resumeSchedule", becomes, "stretch or hold");
  const { config, step, horizon, earlier, plateau } = description;
  const { steps } = config;
  const isOver = hasEnded(description);
  if (asked === undefined || (asked === steps && !isOver)) return { horizon, earlier, keepsPlateau: true };
  // What depends on no end is what a longer run would have been.
  if (config.schedule === "constant" && config.growEvery === 0 && config.plateau === 0) return { keepsPlateau: false };
  const end = plateau?.end ?? horizon ?? steps;
  const had = isOver ? "ended" : "was to end";
  const isHeld = becomes === "hold";
  const note = isHeld
    ? `The learning-rate schedule of ${run} ${had} at step ${end}. Later steps keep its final rates. To stretch it to step ${asked} instead, use --resume-schedule stretch.`
    : `The learning-rate schedule of ${run} ${had} at step ${end}. It is stretched to step ${asked}, so the result differs from a new run of ${asked} steps. To keep its final rates instead, use --resume-schedule hold.`;
  return {
    ...(isHeld && { horizon: end }),
    earlier: [...(earlier ?? []), { step, steps, ...(horizon !== undefined && { horizon }) }],
    keepsPlateau: false,
    note,
  };
}
