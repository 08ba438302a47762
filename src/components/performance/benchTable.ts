import type { BenchResult } from "../../engine/bench/benchResult.js";
import { count, counted, decibels, inWords, percent, prefixed, secondsText, time } from "../page/format.js";

/** A benchmark as `splatbook bench --json` recorded it, for a table: a row a pipeline, with what was measured of any. */
export function benchRows({ measurements }: BenchResult): Record<string, string>[] {
  const rows = measurements.map(({ pipeline, median, min, max, pairsPerSecond, share, render, psnr, steps }) => ({
    pipeline,
    "a step, median": time(median),
    rounds: `${time(min)} – ${time(max)}`,
    "steps a second": count(1000 / median),
    "pairs a second": prefixed(pairsPerSecond).trim(),
    "of the peak": share ? percent(share) : "–",
    "render from lists": render ? time(render.drawing) : "–",
    "render from parameters": render ? time(render.whole) : "–",
    "10,000 steps at that rate": secondsText(10 * median),
    PSNR: `${decibels(psnr)} after ${count(steps)} steps`,
  }));
  const measured = Object.keys(rows[0]).filter((name) => rows.some((row) => row[name as keyof typeof row] !== "–"));
  return rows.map((row) => Object.fromEntries(measured.map((name) => [name, row[name as keyof typeof row]])));
}

/** Of what job, and where, a benchmark was recorded. */
export function benchSentence({ measurements, config, image, adapter, host, date, peak }: BenchResult): string {
  const waits = measurements.map(
    ({ pipeline, wait, roundSteps }) => `${pipeline} ${time(wait)} in ${counted(roundSteps[0], "step")}`,
  );
  return [
    `${count(config.blobs)} blobs on ${image.width} × ${image.height} pixels, tiles of ${config.tile.join(" × ")}, GAUSSIANS_PER_BLOCK ${config.gaussiansPerBlock}.`,
    peak &&
      `The peak, measured in the same run: ${inWords(2 * peak.multiplyAddsPerSecond)} operations a second in multiply-adds.`,
    `A round waits besides its steps, and that is in the numbers: ${waits.join(", ")}.`,
    `Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`,
  ]
    .filter(Boolean)
    .join(" ");
}
