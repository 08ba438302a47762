import type { BenchResult } from "../../engine/bench/benchResult.js";
import { listCapacity } from "../../engine/config.js";
import { withPresentNames } from "../../engine/oldNames.js";
import { count, counted, decibels, inWords, percent, prefixed, time } from "../page/format.js";

/** Returns the table rows of a benchmark that `splatbook bench --json` recorded: one per pipeline, without empty columns. */
export function benchRows({ measurements }: BenchResult): Record<string, string>[] {
  const rows = measurements.map(({ pipeline, median, min, max, pairsPerSecond, share, render, psnr, steps }) => ({
    pipeline,
    "step, median": time(median),
    "step, min – max": `${time(min)} – ${time(max)}`,
    "steps per second": count(1000 / median),
    "pixel–blob pairs per second": prefixed(pairsPerSecond).trim(),
    "% of peak": share ? percent(share) : "–",
    "render from lists": render ? time(render.drawing) : "–",
    "render from parameters": render ? time(render.whole) : "–",
    PSNR: `${decibels(psnr)} after ${count(steps)} steps`,
  }));
  const measured = Object.keys(rows[0]).filter((name) => rows.some((row) => row[name as keyof typeof row] !== "–"));
  return rows.map((row) => Object.fromEntries(measured.map((name) => [name, row[name as keyof typeof row]])));
}

/** Returns which job a benchmark measured, where and when. */
export function benchSentence({ measurements, config, image, adapter, host, date, peak }: BenchResult): string {
  const waitTexts = measurements.map(
    ({ pipeline, wait, roundSteps }) => `${time(wait)} per ${counted(roundSteps[0], "step")} of ${pipeline}`,
  );
  // A recording may have the names of an earlier version.
  const { preset } = withPresentNames(config);
  const hasCapacity = measurements.some(({ pipeline }) => pipeline === "tiled");
  const capacityText = hasCapacity ? `, list capacity ${listCapacity(config)} in tiled` : "";
  return [
    `Preset ${preset}, ${count(config.blobs)} blobs on ${image.width} × ${image.height} pixels, tiles of ${config.tile.join(" × ")}${capacityText}.`,
    peak &&
      `Peak, measured in the same run: ${inWords(2 * peak.multiplyAddsPerSecond)} operations per second in multiply-adds.`,
    `Times include the wait at the end of each round: ${waitTexts.join(", ")}.`,
    `Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
