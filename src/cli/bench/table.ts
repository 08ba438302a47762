import type { BenchResult, Measurement } from "../../engine/benchResult.js";

/** A benchmark's result for people. */
export function table({ image, config, host, measurements }: BenchResult): string {
  const lines = [
    `${image.name}, ${image.width}x${image.height}; ${config.blobs} blobs, tiles of ${config.tile.join("x")}, ${config.gaussiansPerBlock} Gaussians a block`,
    [...new Set(measurements.map(({ adapter }) => adapter)), host].join("; "),
    "",
    ...align([
      ["pipeline", "ms a step", "min", "max", "steps/s", "pairs/s", "PSNR", "after"],
      ...measurements.map(({ pipeline, median, min, max, pairsPerSecond, psnr, steps }) => [
        pipeline,
        short(median),
        short(min),
        short(max),
        short(1000 / median),
        pairsPerSecond.toExponential(2),
        `${psnr.toFixed(2)} dB`,
        `${steps} steps`,
      ]),
    ]),
    ...measurements.flatMap(stageLines),
  ];
  return `${lines.join("\n")}\n`;
}

function stageLines({ pipeline, stageTimes }: Measurement): string[] {
  if (!stageTimes) return [];
  const rows = Object.entries(stageTimes).map(([stage, milliseconds]) => [`  ${stage}`, `${short(milliseconds)} ms`]);
  return ["", `${pipeline}, by kernel`, ...align(rows)];
}

/** Pads the cells of each column to one width: the first column to the left, all others to the right. */
function align(rows: string[][]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  "),
  );
}

function short(value: number): string {
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
}
