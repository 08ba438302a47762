import { countListedPairs, timeSteps, warmUp } from "../engine/bench/measure.js";
import type { ScalingRow } from "../engine/bench/scaling.js";
import { ConfigError, completeConfig, type PipelineName, type TrainConfig } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { Image, Size } from "../engine/image/image.js";
import { psnrOfLoss } from "../engine/image/metrics.js";
import { median } from "../engine/medians.js";
import { countSupportPairs } from "../engine/model/pairs.js";
import { tileGrid } from "../engine/model/uv.js";
import type { Backend } from "../engine/pipeline.js";
import { initialState } from "../engine/training/initialState.js";
import { toFailure } from "../terminal/failure.js";
import { resizeImage } from "./resize.js";
import type { ScalingJob } from "./scalingJobs.js";

/** Milliseconds of a step above which a job is skipped, as predicted from the jobs before. */
const maxStepTime = 5000;
/** Milliseconds after which a job is aborted. */
const maxJobTime = 60_000;

/**
 * Measures the step time of each job in each pipeline. The row of a job that does not fit or would take too long has the
 * reason in `refusal`.
 * @param sourceImage scaled to the size of each job
 * @param seconds approximate time to measure each job
 * @param note prints a line of progress
 * @param saveRows called with all rows after each job
 */
export async function measureScaling(
  jobs: ScalingJob[],
  pipelines: PipelineName[],
  sourceImage: Image,
  backendOf: (name: PipelineName) => Backend,
  seconds: number,
  note: (progress: string) => void,
  saveRows: (rows: ScalingRow[]) => Promise<void>,
): Promise<ScalingRow[]> {
  const rows: ScalingRow[] = [];
  let image = sourceImage;
  for (const job of jobs) {
    const { width, height } = job.size;
    if (image.width !== width || image.height !== height) image = resizeImage(sourceImage, job.size);
    for (const pipeline of pipelines) {
      const { axis, blobs, tile, covarianceScale } = job;
      const config = completeConfig({ pipeline, blobs, tile, covarianceScale });
      // A job can be in several sweeps.
      const row = rows.find((other) => isSameJob(other, config, job.size)) ?? {
        ...emptyRow(config, job.size),
        ...(await measureJob(config, image, backendOf(pipeline), seconds, rows)),
      };
      rows.push({ ...row, axis });
      await saveRows(rows);
      const { refusal, median: milliseconds } = row;
      const label = `${axis}: ${pipeline}, ${blobs} blobs, ${width}x${height}, tiles of ${tile}`;
      note(`${label}: ${refusal || `${milliseconds.toPrecision(4)} ms per step`}`);
    }
  }
  return rows;
}

async function measureJob(
  config: TrainConfig,
  image: Image,
  backend: Backend,
  seconds: number,
  earlierRows: ScalingRow[],
): Promise<Partial<ScalingRow>> {
  const size = { width: image.width, height: image.height };
  const predicted = predictStepTime(config, size, earlierRows);
  if (predicted > maxStepTime) {
    return { refusal: `A step would take about ${duration(predicted / 1000)}, as predicted from smaller jobs.` };
  }
  try {
    return await measureSteps(config, image, backend, seconds);
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (isTimeout) return { refusal: `The measurement took longer than ${maxJobTime / 1000} s.` };
    return { refusal: error instanceof ConfigError ? error.message : toFailure(error).message };
  }
}

async function measureSteps(
  config: TrainConfig,
  image: Image,
  backend: Backend,
  seconds: number,
): Promise<Partial<ScalingRow>> {
  const { width, height } = image;
  backend.check(config, { width, height });
  const start = performance.now();
  const pipeline = await backend.open(config, image, initialState(config, image));
  const openTime = performance.now() - start;
  const signal = AbortSignal.timeout(maxJobTime);
  try {
    const { roundSteps } = await warmUp(pipeline, { seconds }, signal);
    const rounds: number[] = [];
    for (const steps of roundSteps) rounds.push((await timeSteps(pipeline, steps, signal)) / steps);
    const { loss } = await pipeline.statistics();
    const tiles = await pipeline.tiles();
    const { parameters } = await pipeline.state();
    return {
      listTileWidth: tiles.size[0],
      listTileHeight: tiles.size[1],
      entries: tiles.lengths.reduce((sum, length) => sum + length, 0),
      listedPairs: countListedPairs(tiles, image),
      supportedPairs: countSupportPairs(config, parameters, { width, height }),
      median: median(rounds),
      min: Math.min(...rounds),
      max: Math.max(...rounds),
      stepsMeasured: roundSteps.reduce((sum, steps) => sum + steps, 0),
      openTime,
      psnr: psnrOfLoss(loss),
      allocated: (await pipeline.allocated?.()) ?? {},
    };
  } finally {
    await pipeline.free();
  }
}

/** Returns the predicted milliseconds of a step, from the pipeline's longest step so far, or 0 without one. */
function predictStepTime(config: TrainConfig, size: Size, rows: ScalingRow[]): number {
  const measured = rows.filter(({ pipeline, median }) => pipeline === config.pipeline && median > 0);
  const [longest] = measured.toSorted((a, b) => b.median - a.median);
  if (!longest) return 0;
  const longestConfig = { blobs: longest.blobs, tile: [longest.tileWidth, longest.tileHeight] as [number, number] };
  return (longest.median * stepWork(config, size)) / stepWork({ ...config, ...longestConfig }, longest);
}

/** Returns a measure of the work per step that does not depend on the blobs' sizes. */
function stepWork({ pipeline, blobs, tile }: TrainConfig, size: Size): number {
  if (pipeline === "simple") return blobs * size.width * size.height;
  if (pipeline === "tiled") return blobs * tileGrid(size, tile).count;
  return blobs + size.width * size.height;
}

function isSameJob(row: ScalingRow, config: TrainConfig, size: Size): boolean {
  const { pipeline, blobs, tile, covarianceScale } = config;
  const sameJob = row.pipeline === pipeline && row.blobs === blobs && row.covarianceScale === covarianceScale;
  const sameTile = row.tileWidth === tile[0] && row.tileHeight === tile[1];
  return sameJob && sameTile && row.width === size.width && row.height === size.height;
}

function emptyRow({ pipeline, blobs, tile, covarianceScale }: TrainConfig, { width, height }: Size): ScalingRow {
  const none = Number.NaN;
  return {
    axis: "",
    pipeline,
    blobs,
    width,
    height,
    tileWidth: tile[0],
    tileHeight: tile[1],
    listTileWidth: none,
    listTileHeight: none,
    covarianceScale,
    entries: none,
    listedPairs: none,
    supportedPairs: none,
    median: none,
    min: none,
    max: none,
    stepsMeasured: 0,
    openTime: none,
    psnr: none,
    refusal: "",
    allocated: {},
  };
}
