import { ConfigError, type TrainConfig } from "../engine/config.js";
import { type EarlierPart, hasEnded, type RunDescription } from "../engine/runDescription.js";

/** What becomes of the schedule of a run that is given another end. */
export interface ContinuedSchedule {
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
 * @param config with the steps that were asked for
 * @param asked what was typed after --resume-schedule
 * @throws ConfigError
 */
export function continuedSchedule(
  run: string,
  description: RunDescription,
  config: TrainConfig,
  asked = "stretch",
): ContinuedSchedule {
  if (asked !== "stretch" && asked !== "hold") throw new ConfigError("resumeSchedule", asked, "stretch or hold");
  const { step, horizon, earlier, plateau } = description;
  const { steps } = description.config;
  const isOver = hasEnded(description);
  if (steps === config.steps && !isOver) return { horizon, earlier, keepsPlateau: true };
  // What depends on no end is what a longer run would have been.
  if (config.schedule === "constant" && config.growEvery === 0 && config.plateau === 0) return { keepsPlateau: false };
  const end = plateau?.end ?? horizon ?? steps;
  const had = isOver ? "ended" : "was to end";
  const isHeld = asked === "hold";
  const note = isHeld
    ? `The schedule of ${run} ${had} at step ${end}, and the learning rates stay where it ends; --resume-schedule stretch would stretch it to step ${config.steps}.`
    : `The schedule of ${run} ${had} at step ${end} and is stretched to step ${config.steps}, which is not what ${config.steps} steps from the start would have been; --resume-schedule hold keeps the learning rates where it ends.`;
  return {
    ...(isHeld && { horizon: end }),
    earlier: [...(earlier ?? []), { step, steps, ...(horizon !== undefined && { horizon }) }],
    keepsPlateau: false,
    note,
  };
}
