import { programs } from "../../../engine/bench/realtime/programs.js";
import type { RealtimeJob, RealtimeResult } from "../../../engine/bench/realtime/realtimeResult.js";
import { count, inWords } from "../../page/format.js";

/** Returns a sentence on the speedup by the undo for the programs with tiles, per job. */
export function undoSentence({ jobs }: RealtimeResult): string {
  const gains = jobs.flatMap(({ blobs, times }) => {
    const [kept, undone] = ["tiles-kept", "tiles-undo"].map((name) => times.find((time) => time.name === name)?.median);
    return kept && undone ? [`${(kept / undone).toFixed(2)} at ${count(blobs)} blobs`] : [];
  });
  return `On the adapter recorded below, the undo multiplies the speed of the program with tiles by ${new Intl.ListFormat("en").format(gains)}.`;
}

/** Describes a recorded job. */
export function jobSentence(job: RealtimeJob, { adapter, date, image, versions }: RealtimeResult): string {
  const { blobs, width, height, tile, gaussiansPerBlock, startStep, pairs, times } = job;
  const overflow = pairs.overflowing === 0 ? "none overflows" : `${count(pairs.overflowing)} of them overflow`;
  const missing = programs.filter(({ name }) => !times.some((time) => time.name === name)).map(({ title }) => title);
  return [
    `${count(blobs)} blobs on ${width} × ${height} pixels of ${image.name}, tiles of ${tile.join(" × ")}, GAUSSIANS_PER_BLOCK ${gaussiansPerBlock}. Each round begins after step ${count(startStep)}.`,
    `The tile lists hold ${inWords(pairs.listed)} of ${inWords(pairs.all)} pixel–blob pairs.`,
    `The longest of ${count(pairs.tiles)} tile lists holds ${count(pairs.longest)} blobs, and ${overflow}.`,
    missing.length > 0 && `Not measured, because of its limit or because it would take minutes: ${missing.join(", ")}.`,
    `Recorded on ${date.slice(0, 10)} on ${adapter}, through Dawn, the WebGPU of Chrome${versions.webgpu ? ` (webgpu ${versions.webgpu})` : ""}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
