import { type BenchImage, type BenchOrigin, type RowOf, readRecording, recordingFile } from "./recording.js";

/** The measured numbers are NaN if the job was refused. */
const scalingColumns = {
  axis: ["text", "What the rows of a curve differ in: blobs, or all, which is blobs and image"],
  pipeline: ["text", "Pipeline that was measured"],
  refusal: ["text", "Why the job was not measured, otherwise empty"],
  blobs: ["blobs", "Number of Gaussians"],
  width: ["px", "Width of the image"],
  height: ["px", "Height of the image"],
  entries: ["intersections", "Tile–blob intersections after the last step"],
  median: ["ms", "Time per step, the median of the rounds", "milliseconds"],
  min: ["ms", "Time per step in the fastest round", "milliseconds_min"],
  max: ["ms", "Time per step in the slowest round", "milliseconds_max"],
  psnr: ["dB", "PSNR at the last step"],
  bytes: ["B", "Memory of all buffers on the GPU"],
} as const;

/** Time and memory of one job of a sweep. */
export type ScalingRow = RowOf<typeof scalingColumns>;

/** All sweeps of one command. */
export interface Scaling extends BenchOrigin {
  image: BenchImage;
  rows: ScalingRow[];
}

/** Encodes scaling.arrow. */
export function scalingFile({ rows, ...origin }: Scaling): Uint8Array {
  return recordingFile("scaling", scalingColumns, rows, origin);
}

/**
 * Reads scaling.arrow. Older versions have more columns.
 * @throws Error of one sentence if it is damaged, of another version, or lacks a column
 */
export function readScaling(bytes: Uint8Array): Scaling {
  const { origin, rows } = readRecording("scaling", scalingColumns, bytes);
  return { ...origin, rows };
}
