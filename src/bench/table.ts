import type { BenchResult, Measurement } from "../engine/bench/benchResult.js";
import type { Quality, QualityRun } from "../engine/bench/qualityResult.js";
import { type Scaling, totalBytes } from "../engine/bench/scaling.js";

/** Returns a benchmark's result as text. */
export function speedTable(result: BenchResult): string {
  const { image, config, host, measurements } = result;
  const lines = [
    `${image.name}, ${image.width}x${image.height}; ${config.blobs} blobs, tiles of ${config.tile.join("x")}, GAUSSIANS_PER_BLOCK ${config.gaussiansPerBlock}`,
    [...new Set(measurements.map(({ adapter }) => adapter)), host].join("; "),
    "",
    ...align([
      ["pipeline", "ms/step", "min", "max", "wait", "steps/s", "pairs/s", "draw", "render", "PSNR", "after"],
      ...measurements.map(row),
    ]),
    "",
    "wait: ms of a round besides its steps; ms/step includes a fraction of it.",
    "pairs/s: blended pixel-blob pairs, each with a forward and a backward pass.",
    "draw, render: ms on the GPU to render from existing tile lists, and from the parameters.",
    ...measurements.flatMap(stageLines),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns sweeps as text, with one line per job. */
export function scalingTable({ rows, image, adapter, host }: Scaling): string {
  const lines = [
    `${image.name}; ${adapter ? `${adapter}; ` : ""}${host}`,
    "",
    ...align([
      ["sweep", "pipeline", "blobs", "pixels", "tile", "entries", "ms/step", "steps", "bytes"],
      ...rows.map((row) => [
        row.axis,
        row.pipeline,
        String(row.blobs),
        `${row.width}x${row.height}`,
        `${row.tileWidth}x${row.tileHeight}`,
        ...(row.refusal
          ? ["-", "-", "-", "-"]
          : [
              String(row.entries),
              threeDigits(row.median),
              String(row.stepsMeasured),
              totalBytes(row).toExponential(2),
            ]),
      ]),
    ]),
    "",
    ...rows
      .filter(({ refusal }) => refusal)
      .map(
        ({ pipeline, blobs, width, height, refusal }) => `${pipeline}, ${blobs} blobs, ${width}x${height}: ${refusal}`,
      ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the rows of the ablation as text, with means over the images. */
export function qualityTable({ runs, adapter, host }: Quality): string {
  const rows = new Map<string, QualityRun[]>();
  for (const run of runs) {
    const key = [run.part, run.row, run.blobs].join();
    rows.set(key, [...(rows.get(key) ?? []), run]);
  }
  const lines = [
    `${new Set(runs.map(({ image }) => image)).size} images; ${adapter}; ${host}`,
    "",
    ...align([
      ["row", "part", "blobs", "steps", "images", "seconds", "PSNR", "SSIM", "MS-SSIM", "bits/pixel", "file PSNR"],
      ...[...rows.values()].map((sameRuns) => {
        const [{ row, part, blobs, steps }] = sameRuns;
        const mean = (field: "seconds" | "psnr" | "ssim" | "msSsim" | "bitsPerPixel" | "filePsnr", digits: number) => {
          const value = sameRuns.reduce((sum, run) => sum + run[field], 0) / sameRuns.length;
          return Number.isFinite(value) ? value.toFixed(digits) : "-";
        };
        return [
          row,
          part,
          String(blobs),
          String(steps),
          String(sameRuns.length),
          mean("seconds", 3),
          mean("psnr", 2),
          mean("ssim", 4),
          mean("msSsim", 4),
          mean("bitsPerPixel", 3),
          mean("filePsnr", 2),
        ];
      }),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ pipeline, median, min, max, wait, pairsPerSecond, render, psnr, steps }: Measurement): string[] {
  return [
    pipeline,
    threeDigits(median),
    threeDigits(min),
    threeDigits(max),
    threeDigits(wait),
    threeDigits(1000 / median),
    pairsPerSecond.toExponential(2),
    render ? threeDigits(render.drawing) : "-",
    render ? threeDigits(render.whole) : "-",
    `${psnr.toFixed(2)} dB`,
    `${steps} steps`,
  ];
}

function stageLines({ pipeline, stageTimes }: Measurement): string[] {
  if (!stageTimes) return [];
  const rows = Object.entries(stageTimes).map(([stage, milliseconds]) => [
    `  ${stage}`,
    `${threeDigits(milliseconds)} ms`,
  ]);
  return ["", `${pipeline}, by kernel`, ...align(rows)];
}

/** Aligns columns: the first one to the left, all others to the right. */
function align(rows: string[][]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
  );
}

/** Returns a number with three digits and no exponent. */
function threeDigits(value: number): string {
  if (value === 0) return "0";
  return value >= 1000 ? value.toFixed(0) : value < 0.001 ? value.toFixed(6) : value.toPrecision(3);
}
