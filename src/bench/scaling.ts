import { timeRounds } from "../engine/bench/measure.js";
import type { ScalingRow } from "../engine/bench/results.js";
import { completeConfig, coveringScale, type PipelineName, type TrainConfig } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { Image, Size } from "../engine/image/image.js";
import { psnrOfLoss } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Failure, toFailure } from "../terminal/failure.js";
import { resizeImage } from "./images.js";

/** Milliseconds of a step above which a job is skipped, as predicted from the jobs before. */
const maxStepTime = 5000;
/** Milliseconds after which a job is aborted. */
const maxJobTime = 60_000;

/** Numbers of blobs and sides of the image, as multiples of those of the smallest job of `all`. */
const blobFactors = [1 / 40, 1 / 10, 2 / 5, 1, 4, 16, 4e6 / 40960];
const sideFactors = new Map([
  [1, 1],
  [16, 4],
  [2e6 / 40960, 8],
  [4e6 / 40960, 16],
  [40e6 / 40960, 32],
]);

/**
 * Measures the step time of jobs with more and more blobs, and with larger images too. The row of a job that does not fit
 * or would take too long has the reason in `refusal`.
 * @param configs one per pipeline, of the job whose multiples are measured
 * @param source scaled to the size of each job
 * @param seconds approximate time to measure each job
 * @param note called with the result of each job
 */
export async function measureScaling(
  configs: TrainConfig[],
  source: Image,
  { width, height }: Size,
  backendOf: (name: PipelineName) => Backend,
  seconds: number,
  note: (text: string) => void,
): Promise<ScalingRow[]> {
  const rows: ScalingRow[] = [];
  const add = async (axis: ScalingRow["axis"], factor: number, side: number) => {
    const image = await resizeImage(source, { width: side * width, height: side * height });
    for (const base of configs) {
      const blobs = Math.max(1, Math.round(factor * base.blobs));
      // With a larger image, as many blobs cover a pixel as in the smallest job.
      const scale = axis === "all" ? (coveringScale(base.blobs) * base.blobs) / blobs : coveringScale(blobs);
      const config = completeConfig({ pipeline: base.pipeline, blobs, tile: base.tile, covarianceScale: scale });
      const row = { ...(await measureJob(config, image, backendOf(base.pipeline), seconds, rows)), axis };
      rows.push(row);
      const result = row.refusal || `${row.median.toPrecision(4)} ms per step`;
      note(`${base.pipeline}, ${blobs} blobs, ${image.width} pixels wide: ${result}`);
    }
  };
  for (const factor of blobFactors) await add("blobs", factor, 1);
  for (const [factor, side] of sideFactors) await add("all", factor, side);
  return rows;
}

async function measureJob(
  config: TrainConfig,
  image: Image,
  backend: Backend,
  seconds: number,
  earlier: ScalingRow[],
): Promise<ScalingRow> {
  const { pipeline, blobs } = config;
  const { width, height } = image;
  const rows = earlier.filter((row) => row.pipeline === pipeline);
  // A job can be in both sweeps.
  const same = rows.find((row) => row.blobs === blobs && row.width === width && row.height === height);
  if (same) return same;
  const none = Number.NaN;
  const numbers = { entries: none, median: none, min: none, max: none, psnr: none, bytes: none };
  const row = { axis: "all" as const, pipeline, refusal: "", blobs, width, height, ...numbers };
  const [slowest] = rows.filter(({ median }) => median > 0).toSorted((a, b) => b.median - a.median);
  const predicted = slowest ? (slowest.median * stepWork(row)) / stepWork(slowest) : 0;
  try {
    if (predicted > maxStepTime)
      throw new Failure(`A step would take about ${duration(predicted / 1000)}, as predicted from smaller jobs.`);
    return { ...row, ...(await measureSteps(config, image, backend, seconds)) };
  } catch (error) {
    return { ...row, refusal: toFailure(error).message };
  }
}

/** Returns a measure of the work per step that does not depend on the blobs' sizes. */
function stepWork({ pipeline, blobs, width, height }: ScalingRow): number {
  return pipeline === "simple" || pipeline === "tiled" ? blobs * width * height : blobs + width * height;
}

async function measureSteps(config: TrainConfig, image: Image, backend: Backend, seconds: number) {
  backend.check(config, image);
  const pipeline = await backend.open(config, image);
  try {
    const signal = AbortSignal.timeout(maxJobTime);
    const [{ median, min, max }] = await timeRounds([pipeline], { seconds, signal });
    const { lengths } = await pipeline.tiles();
    const entries = lengths.reduce((sum, length) => sum + length, 0);
    const psnr = psnrOfLoss((await pipeline.statistics()).loss);
    const buffers = Object.values((await pipeline.allocated?.()) ?? {});
    return { entries, median, min, max, psnr, bytes: buffers.reduce((sum, bytes) => sum + bytes, 0) };
  } finally {
    await pipeline.free();
  }
}
