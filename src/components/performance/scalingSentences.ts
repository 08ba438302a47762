import type { Scaling, ScalingRow } from "../../engine/bench/scaling.js";
import { count, counted, time } from "../page/format.js";
import { baseBlobs, growthOf, pixels } from "./scalingFacts.js";

/** The pipeline that the page makes claims about. */
const claimedPipeline = "binned";

/** Returns whether the time of a step grows at most in proportion to the tile–blob intersections. */
export function growthSentence({ rows }: Scaling): string {
  const growths = ["blobs", "all"].flatMap((axis) => growthOf(rows, axis, claimedPipeline));
  if (growths.length === 0) return "This recording has no job larger than the base, so it does not show scaling.";
  const worst = growths.reduce((a, b) => (b.time / b.entries > a.time / a.entries ? b : a));
  const isProportional = worst.time <= worst.entries;
  const base = counted(baseBlobs(rows), "blob");
  const claim = isProportional
    ? `Above ${base}, the time of ${claimedPipeline} grows by less than its intersections in each of the ${counted(growths.length, "larger job")}. Nearest`
    : `Above ${base}, the time of ${claimedPipeline} can grow faster than its intersections. Worst`;
  const measured = rows.filter(({ pipeline, refusal }) => pipeline === claimedPipeline && refusal === "");
  const largest = measured.reduce((a, b) => (b.blobs * pixels(b) > a.blobs * pixels(a) ? b : a));
  const largestText =
    largest === worst.to ? "" : ` The largest job, ${jobText(largest)}, takes ${time(largest.median)} per step.`;
  return `${claim}: ${describe(worst)}.${largestText}`;
}

function describe({ from, to, time: timeFactor, entries }: ReturnType<typeof growthOf>[number]): string {
  return `${jobText(to)} take ${factor(timeFactor)} times as long as ${jobText(from)}, for ${factor(entries)} times the intersections: ${time(to.median)} per step`;
}

function jobText({ blobs, width, height }: ScalingRow): string {
  return `${count(blobs)} blobs on ${count(width)} × ${count(height)} pixels`;
}

function factor(value: number): string {
  return value >= 100 ? count(value) : String(Number(value.toPrecision(3)));
}
