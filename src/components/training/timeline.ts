import { lossOf, psnrOfLoss } from "../../engine/metrics.js";
import { stepper } from "../inputs/stepper.js";
import { element } from "../page/element.js";
import { count, decibels } from "../page/format.js";
import { whileFollowed } from "./follow.js";
import type { Look, Run } from "./run.js";

/** An input for `view`: the look of a run to which its reader has gone back, or null while the newest step is shown. */
export type Timeline = HTMLElement & { value: Look | null };

/**
 * Goes back through a run, also while it trains: a position for each look that is kept, the newest step at the end.
 * What was chosen stays while others come, and a run that begins again is shown as it comes.
 */
export function timeline(run: Run): Timeline {
  const steps = stepper("Step of the run that is shown", { count: 1, perSecond: 4 });
  const node = element("div", { class: "timeline" }, steps) as unknown as Timeline;
  let { looks } = run.moments;
  node.value = null;
  const choose = (look: Look | null) => {
    if (look === node.value) return;
    node.value = look;
    node.classList.toggle("is-held", look !== null);
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const isLast = (at: number) => at >= looks.length - 1;
  steps.addEventListener("input", (event) => {
    event.stopPropagation();
    choose(isLast(steps.value) ? null : looks[steps.value]);
  });
  const describe = (at: number) => {
    if (isLast(at)) return "the newest step";
    const loss = lossOf(looks[at].picture, run.target.image);
    return `step ${count(looks[at].state.step)}: ${decibels(psnrOfLoss(loss))}, loss ${loss.toPrecision(3)}`;
  };
  void whileFollowed(run, node, () => {
    if (run.moments.looks === looks) return;
    ({ looks } = run.moments);
    const held = node.value?.state.step ?? Number.POSITIVE_INFINITY;
    const place = looks.findLastIndex(({ state }) => state.step <= held);
    if (isLast(place)) choose(null);
    steps.renew({ count: Math.max(1, looks.length), describe, value: Math.max(0, place) });
  });
  return node;
}
