import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { type Scrubber, scrubber } from "../inputs/scrubber.js";
import { count, decibels } from "../page/format.js";
import { whileFollowed } from "./follow.js";
import type { Look, Run } from "./run.js";

/**
 * Goes back through a run, also while it trains: an input whose value is the look that is held, or null while the newest
 * step is shown. What was chosen stays while others come, and a run that begins again is shown as it comes.
 */
export function timeline(run: Run): Scrubber<Look> {
  const describe = ({ state, picture }: Look, isNewest: boolean) => {
    if (isNewest) return "the newest step";
    const loss = lossOf(picture, run.target.image);
    return `step ${count(state.step)}: ${decibels(psnrOfLoss(loss))}, loss ${loss.toPrecision(3)}`;
  };
  const node = scrubber("Step of the run that is shown", ({ state }) => state.step, describe);
  let { looks } = run.moments;
  void whileFollowed(run, node, () => {
    if (run.moments.looks === looks) return;
    ({ looks } = run.moments);
    node.renew(looks);
  });
  return node;
}
