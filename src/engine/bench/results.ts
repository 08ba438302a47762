// The results of `splatbook bench --json` besides those of single jobs. NaN and infinity are null in JSON.
import type { PipelineName } from "../config.js";

/** When, where and with which splatbook something was measured. */
export interface BenchOrigin {
  date: string;
  commit?: string;
  versions: Record<string, string>;
  host: string;
  /** Adapter and driver, or CPU engine; absent if several engines were measured. */
  adapter?: string;
}

/** The image of a measurement. */
export interface BenchImage {
  name: string;
  width: number;
  height: number;
  hash: string;
}

/** Time and memory of one job of `--scaling`. The measured numbers are NaN if the job was refused. */
export interface ScalingRow {
  /** What the rows of a curve differ in: blobs, or all, which is blobs and image. */
  axis: "blobs" | "all";
  pipeline: PipelineName;
  /** Why the job was not measured, otherwise empty. */
  refusal: string;
  blobs: number;
  width: number;
  height: number;
  /** Tile–blob intersections after the last step. */
  entries: number;
  /** Milliseconds per step: the median of the rounds, the fastest and the slowest round. */
  median: number;
  min: number;
  max: number;
  /** PSNR at the last step, in dB. */
  psnr: number;
  /** Memory of all buffers on the GPU. */
  bytes: number;
}

/** The result of `--scaling`. */
export interface Scaling extends BenchOrigin {
  image: BenchImage;
  rows: ScalingRow[];
}

/**
 * `ladder`: cumulative ablation from baseline to quality; `without`: leave-one-out; `sizes`: by number of blobs;
 * `seconds`: by time.
 */
export type QualityExperiment = "ladder" | "without" | "sizes" | "seconds";

/** The result of one run of `--quality`. */
export interface QualityRun {
  part: QualityExperiment;
  /** Name of the configuration. */
  row: string;
  /** File name of the image, without its extension. */
  image: string;
  width: number;
  height: number;
  blobs: number;
  /** Steps that the run has taken. */
  steps: number;
  /** Training time, without opening and without measurements during the run. */
  seconds: number;
  /** PSNR of the final render in dB, of float values clamped to 0 to 1. */
  psnr: number;
  /** NaN of small images, as `msSsim`. */
  ssim: number;
  msSsim: number;
  /** Size of the .splat2d file, also per pixel of the image. */
  bytes: number;
  bitsPerPixel: number;
  /** PSNR of what the .splat2d file decodes to, in dB. */
  filePsnr: number;
}

/** The result of `--quality`. */
export interface Quality extends BenchOrigin {
  runs: QualityRun[];
}
