import { count, counted } from "../../components/page/format.js";
import { hasDiverged, type LiveRun } from "../../engine/files/liveRun.js";

const words = { running: "training", stopped: "stopped", failed: "failed", finished: "finished" };

/** Returns the word for a run's state. */
export const stateText = ({ state }: LiveRun) => words[state];

/** Returns how far a run is: "stopped at 6 of 10,000", "finished after 500 steps". */
export function progressText({ state, description, regions }: LiveRun): string {
  if (!description) return state === "running" ? "starting" : "no checkpoint";
  const isDiverged = state === "failed" && hasDiverged(description);
  if (regions !== undefined) return `${isDiverged ? "diverged" : words[state]}: ${regions}`;
  const { step, config, goal } = description;
  const at = goal?.kind === "seconds" ? `step ${count(step)}` : `${count(step)} of ${count(config.steps)}`;
  if (state === "running") return goal?.kind === "seconds" ? at : `step ${at}`;
  if (state === "finished") return `finished after ${counted(step, "step")}`;
  if (state === "stopped") return `stopped at ${at}`;
  return isDiverged ? `diverged at ${at}` : `ended without saving, at ${at}`;
}
