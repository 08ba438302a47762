import type { Scaling, ScalingRow } from "../../engine/bench/scaling.js";
import { count, counted, inWords, time } from "../page/format.js";
import { baseBlobs, growthOf, pixels } from "./scalingFacts.js";

/** The pipeline of which the page claims how it grows. */
const fast = "binned";

/** Whether a step grows at most as the (tile, blob) pairs do, by the rows. */
export function growthSentence({ rows }: Scaling): string {
  const growths = ["blobs", "all"].flatMap((axis) => growthOf(rows, axis, fast));
  if (growths.length === 0) return "These sweeps have no larger job than their base, so they do not tell how it grows.";
  const least = growths.reduce((a, b) => (b.time / b.entries > a.time / a.entries ? b : a));
  const holds = least.time <= least.entries;
  const base = count(baseBlobs(rows));
  return holds
    ? `From ${base} blobs upwards a step of ${fast} grows by less than its (tile, blob) pairs, in each of the ${counted(growths.length, "larger job")}: where it comes nearest, ${describe(least)}.`
    : `From ${base} blobs upwards a step of ${fast} does not always keep to its (tile, blob) pairs: at the worst, ${describe(least)}.`;
}

function describe({ to, time: times, entries }: ReturnType<typeof growthOf>[number]): string {
  return `at ${count(to.blobs)} blobs on ${count(to.width)} × ${count(to.height)} pixels, it takes ${factor(times)} times as long for ${factor(entries)} times the pairs`;
}

function factor(value: number): string {
  return value >= 100 ? count(value) : String(Number(value.toPrecision(3)));
}

/** The largest job that was measured, as a sentence. */
export function largestSentence({ rows }: Scaling): string {
  const measured = rows.filter(({ pipeline, refusal }) => pipeline === fast && refusal === "");
  const largest = measured.reduce((a, b) => (b.blobs * pixels(b) > a.blobs * pixels(a) ? b : a));
  const { blobs, width, height, median, entries } = largest;
  return `The largest job that was measured, ${counted(blobs, "blob")} on ${count(width)} × ${count(height)} pixels, has ${inWords(entries)} (tile, blob) pairs and takes ${time(median)} a step.`;
}

/** A job that was not measured, with the reason. */
export function refusalSentence(row: ScalingRow): string {
  const { pipeline, blobs, width, height, tileWidth, tileHeight, refusal } = row;
  return `${pipeline}, ${counted(blobs, "blob")} on ${count(width)} × ${count(height)} pixels, tiles of ${tileWidth} × ${tileHeight}: ${refusal}`;
}

/** Where and when the sweeps were measured. */
export function scalingOrigin({ adapter, host, date }: Scaling): string {
  return `Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`;
}
