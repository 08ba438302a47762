import type { Scaling } from "../../engine/bench/scaling.js";
import { count, counted, inWords, time } from "../page/format.js";
import { baseBlobs, growthOf, pixels } from "./scalingFacts.js";

/** The pipeline that the page makes claims about. */
const claimedPipeline = "binned";

/** Returns whether the time of a step grows at most in proportion to the tile–blob intersections. */
export function growthSentence({ rows }: Scaling): string {
  const growths = ["blobs", "all"].flatMap((axis) => growthOf(rows, axis, claimedPipeline));
  if (growths.length === 0) return "This recording has no job larger than the base, so it does not show scaling.";
  const worst = growths.reduce((a, b) => (b.time / b.entries > a.time / a.entries ? b : a));
  const isProportional = worst.time <= worst.entries;
  const base = count(baseBlobs(rows));
  return isProportional
    ? `From ${base} blobs on, the time of a step of ${claimedPipeline} grows by less than its tile–blob intersections in each of the ${counted(growths.length, "larger job")}. Nearest: ${describe(worst)}.`
    : `From ${base} blobs on, the time of a step of ${claimedPipeline} sometimes grows by more than its tile–blob intersections. Worst: ${describe(worst)}.`;
}

function describe({ to, time: timeFactor, entries }: ReturnType<typeof growthOf>[number]): string {
  return `${count(to.blobs)} blobs on ${count(to.width)} × ${count(to.height)} pixels take ${factor(timeFactor)} times as long for ${factor(entries)} times the intersections`;
}

function factor(value: number): string {
  return value >= 100 ? count(value) : String(Number(value.toPrecision(3)));
}

/** Returns the size and time of the largest measured job. */
export function largestSentence({ rows }: Scaling): string {
  const measured = rows.filter(({ pipeline, refusal }) => pipeline === claimedPipeline && refusal === "");
  const largest = measured.reduce((a, b) => (b.blobs * pixels(b) > a.blobs * pixels(a) ? b : a));
  const { blobs, width, height, median, entries } = largest;
  return `The largest measured job, ${counted(blobs, "blob")} on ${count(width)} × ${count(height)} pixels, has ${inWords(entries)} intersections and takes ${time(median)} per step.`;
}
