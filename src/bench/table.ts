// The results of `splatbook bench` as text.
import { group } from "d3-array";
import type { BenchResult } from "../engine/bench/measure.js";
import type { Quality, Scaling } from "../engine/bench/results.js";
import { tableLines } from "../terminal/table.js";

/** Returns a benchmark's result as text. */
export function speedTable({ image, config, host, measurements }: BenchResult): string {
  const rows = measurements.map(({ pipeline, median, min, max, wait, pairsPerSecond, render, psnr, steps }) => ({
    pipeline,
    "ms/step": median,
    min,
    max,
    wait,
    "steps/s": 1000 / median,
    "pairs/s": pairsPerSecond.toExponential(2),
    draw: render?.drawing ?? Number.NaN,
    render: render?.whole ?? Number.NaN,
    PSNR: `${psnr.toFixed(2)} dB`,
    after: `${steps} steps`,
  }));
  const stages = measurements.flatMap(({ pipeline, stageTimes = {} }) =>
    Object.entries(stageTimes).map(([kernel, time]) => ({ pipeline, kernel, ms: time })),
  );
  return [
    `${image.name}, ${image.width}x${image.height}; ${config.blobs} blobs, tiles of ${config.tile.join("x")}, GAUSSIANS_PER_BLOCK ${config.gaussiansPerBlock}`,
    [...new Set(measurements.map(({ adapter }) => adapter)), host].join("; "),
    "",
    ...tableLines(rows),
    "",
    "wait: ms of a round besides its steps; ms/step includes a fraction of it.",
    "pairs/s: blended pixel-blob pairs, each with a forward and a backward pass.",
    "draw, render: ms on the GPU to render from existing tile lists, and from the parameters.",
    ...(stages.length > 0 ? ["", ...tableLines(stages)] : []),
  ].join("\n");
}

/** Returns sweeps as text, with one line per job. */
export function scalingTable({ rows, image, adapter = "CPU", host }: Scaling): string {
  const lines = rows.map(({ axis, pipeline, blobs, width, height, entries, median, bytes, refusal }) => ({
    sweep: axis,
    pipeline,
    blobs: `${blobs}`,
    pixels: `${width}x${height}`,
    entries: refusal ? "-" : `${entries}`,
    "ms/step": median,
    bytes: refusal ? "-" : bytes.toExponential(2),
    refusal,
  }));
  return [`${image.name}; ${adapter}; ${host}`, "", ...tableLines(lines)].join("\n");
}

/** The columns of the ablation that are means over the images, with their digits. */
const means = [
  ["seconds", "seconds", 3],
  ["PSNR", "psnr", 2],
  ["SSIM", "ssim", 4],
  ["MS-SSIM", "msSsim", 4],
  ["bits/pixel", "bitsPerPixel", 3],
  ["file PSNR", "filePsnr", 2],
] as const;

/** Returns the rows of the ablation as text. */
export function qualityTable({ runs, adapter, host }: Quality): string {
  const rows = group(runs, ({ part, row, blobs }) => [part, row, blobs].join());
  const lines = Array.from(rows.values(), (same) => {
    const [{ row, part, blobs, steps }] = same;
    const meanTexts = means.map(([title, field, digits]) => {
      const mean = same.reduce((sum, run) => sum + run[field], 0) / same.length;
      return [title, Number.isFinite(mean) ? mean.toFixed(digits) : "-"];
    });
    const start = { row, part, blobs: `${blobs}`, steps: `${steps}`, images: `${same.length}` };
    return { ...start, ...Object.fromEntries(meanTexts) };
  });
  return [`${group(runs, ({ image }) => image).size} images; ${adapter}; ${host}`, "", ...tableLines(lines)].join("\n");
}
