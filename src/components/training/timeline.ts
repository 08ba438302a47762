import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { type Scrubber, scrubber } from "../inputs/scrubber.js";
import { count, decibels } from "../page/format.js";
import { updateWhileShown } from "./follow.js";
import type { Inspection, Run } from "./run.js";

/**
 * Returns an input that goes back through a run, before and after its end. Its value is the chosen `Inspection`, or null for
 * the latest step. The choice stays while new steps arrive, and returns to the latest step if the run starts over.
 */
export function timeline(run: Run): Scrubber<Inspection> {
  const describe = ({ state, render }: Inspection, isLatest: boolean) => {
    if (isLatest) return "latest step";
    const loss = lossOf(render, run.target.image);
    return `step ${count(state.step)}: ${decibels(psnrOfLoss(loss))}, loss ${loss.toPrecision(3)}`;
  };
  const node = scrubber("Displayed step", ({ state }) => state.step, describe);
  let { inspections } = run.inspectionHistory;
  void updateWhileShown(run, node, () => {
    if (run.inspectionHistory.inspections === inspections) return;
    ({ inspections } = run.inspectionHistory);
    node.setMoments(inspections);
  });
  return node;
}
