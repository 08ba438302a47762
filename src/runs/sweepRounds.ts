import type { SweptRow } from "../engine/files/sweepFile.js";
import { nextRound } from "../engine/sweep/halving.js";
import type { PlannedRun } from "../engine/sweep/sweep.js";
import type { SweepJob } from "./sweepJob.js";

/**
 * Returns the runs to train next, each with the step until which it trains: all missing runs, or those of a round of
 * successive halving. It is empty at the end of the sweep.
 */
export function runsToTrain(
  { sweep }: Pick<SweepJob, "sweep">,
  plan: readonly PlannedRun[],
  rows: readonly (SweptRow | undefined)[],
): Map<number, number> {
  const trainable = plan.map((_, i) => i).filter((i) => plan[i].config);
  const runs = trainable.map((i) => {
    const { status, step = 0, psnr = Number.NaN } = rows[i] ?? {};
    const isOut = status === "failed" || status === "refused";
    return { steps: plan[i].config!.steps, step, psnr, hasEnded: status === "done", isOut };
  });
  if (sweep.halving !== undefined) {
    return new Map(Array.from(nextRound(runs, sweep.halving), ([i, until]) => [trainable[i], until]));
  }
  const missing = trainable.filter((_, i) => !runs[i].hasEnded && !runs[i].isOut);
  return new Map(missing.map((i) => [i, plan[i].config!.steps]));
}
