import { curveOf } from "../runs/curve.js";
import type { RunLine } from "../runs/runLines.js";
import type { Lab } from "./lab.js";

/** Dashes of the earlier runs, the latest of them first. */
export const earlierDashes = ["7 3", "3 3", "1 3"];

/** The lab's runs as lines: the present one bold and on top, the earlier ones faint and dashed. */
export function labLines(lab: Lab): RunLine[] {
  if (!lab.run) return [];
  const earlier = lab.earlier.toReversed().map(({ points }, i) => ({
    name: "before",
    points,
    stroke: "var(--earlier)",
    strokeWidth: 1.5,
    strokeDasharray: earlierDashes[i],
  }));
  const { points } = curveOf(lab.run);
  return [...earlier, { name: "this run", points, stroke: "var(--current)", strokeWidth: 2.25, hasDot: true }];
}
