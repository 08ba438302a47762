import type { TrainConfig } from "../config.js";
import { parseConfig } from "../files/parseConfig.js";
import { type BenchOrigin, type RowOf, readRecording, recordingFile } from "./recording.js";

/**
 * `ladder`: cumulative ablation from baseline to quality; `without`: leave-one-out; `sizes`: by number of blobs;
 * `seconds`: by time.
 */
export type QualityExperiment = "ladder" | "without" | "sizes" | "seconds";

const columns = {
  part: ["text", "Part of the measurement: ladder, without, sizes or seconds"],
  row: ["text", "Name of the configuration"],
  image: ["text", "File name of the image, without its extension"],
  date: ["text", "When the run ended, as ISO 8601"],
  width: ["px", "Width of the image"],
  height: ["px", "Height of the image"],
  blobs: ["blobs", "Number of Gaussians"],
  steps: ["steps", "Steps that the run has taken"],
  seconds: ["s", "Training time, without opening and without measurements during the run"],
  psnr: ["dB", "PSNR of the final render, of float values clamped to 0 to 1"],
  ssim: ["1", "SSIM of the final render"],
  msSsim: ["1", "MS-SSIM of the final render; NaN of small images"],
  bytes: ["B", "Size of the .splat2d file"],
  bitsPerPixel: ["bit/px", "Size of the .splat2d file per pixel of the image"],
  filePsnr: ["dB", "PSNR of what the .splat2d file decodes to"],
  config: ["text", "Configuration of the run, as JSON"],
} as const;

/** The result of one run. */
export type QualityRun = Omit<RowOf<typeof columns>, "part" | "config"> & {
  part: QualityExperiment;
  config: TrainConfig;
};

/** The runs, with the origin of the last command that wrote the file. */
export interface Quality extends BenchOrigin {
  runs: QualityRun[];
}

/** New names of rows that were renamed after version 0.1.0. */
const oldRows: Record<string, string> = { seed: "baseline", "white composite": "white background" };

/** Encodes quality.arrow. */
export function qualityFile({ runs, ...origin }: Quality): Uint8Array {
  const rows = runs.map((run) => ({ ...run, config: JSON.stringify(run.config) }));
  return recordingFile("quality", columns, rows, origin);
}

/**
 * Reads quality.arrow.
 * @throws Error of one sentence if it is damaged, of another version, or lacks a column
 */
export function readQuality(bytes: Uint8Array): Quality {
  const { origin, rows, version } = readRecording("quality", columns, bytes);
  const runs = rows.map((run) => ({
    ...run,
    part: run.part as QualityExperiment,
    row: Object.hasOwn(oldRows, run.row) ? oldRows[run.row] : run.row,
    config: parseConfig(() => JSON.parse(run.config), "quality.arrow", version),
  }));
  return { ...origin, runs };
}
