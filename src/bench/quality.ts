import type { CurvePoint, QualityRun } from "../engine/bench/qualityResult.js";
import type { TrainConfig } from "../engine/config.js";
import { drawWith, encodeByError, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { minSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { QualityJob } from "./qualityJobs.js";

/** A picture to learn, by its file name without extension. */
export interface NamedImage {
  name: string;
  image: Image;
}

/** A run that is done. */
export interface TrainedJob {
  run: QualityRun;
  points: CurvePoint[];
  /** Its .splat2d file; absent where a parameter is no finite number. */
  file?: Uint8Array;
}

/** Points of a run's curve, at most. */
const curvePoints = 40;
/** The step of a curve's first point. */
const firstPoint = 10;

/** More steps than the seconds of any job hold. */
const maxSteps = 1_000_000;

/** A warm-up ends at the first of these. */
const warmUp = { steps: 100, seconds: 1 };

/**
 * Trains each job on each picture, job by job, and yields what came of it. Where a kernel may have to be compiled, a few
 * steps go before that do not count.
 */
export async function* trainQuality(
  jobs: QualityJob[],
  images: NamedImage[],
  backend: Backend,
): AsyncGenerator<TrainedJob, void, void> {
  for (const job of jobs) {
    let warmSize = "";
    for (const picture of images) {
      const { width, height } = picture.image;
      if (warmSize !== `${width}x${height}`) await warmUpKernels(job.config, picture.image, backend);
      warmSize = `${width}x${height}`;
      yield await train(job, picture, backend);
    }
  }
}

async function warmUpKernels(config: TrainConfig, image: Image, backend: Backend): Promise<void> {
  const trainer = new Trainer(config, image, backend);
  const controller = new AbortController();
  for await (const { seconds } of trainer.run({
    until: Math.min(warmUp.steps, config.steps),
    signal: controller.signal,
  })) {
    if (seconds > warmUp.seconds) controller.abort();
  }
}

async function train({ part, row, config, seconds: limit }: QualityJob, { name, image }: NamedImage, backend: Backend) {
  const { width, height } = image;
  const { blobs } = config;
  const trainer = new Trainer(config, image, backend);
  const points: CurvePoint[] = [];
  const curveStops = curveSteps(limit === undefined ? config.steps : maxSteps);
  trainer.advance(curveStops[0]);
  // What is read back at a stop takes none of the training's seconds.
  for await (const { step, seconds, psnr, recorded } of trainer.run({ interval: 1000, seconds: limit })) {
    if (step < curveStops[points.length] && !recorded) continue;
    points.push({ row, image: name, blobs, step, seconds, psnr });
    if (!recorded) trainer.advance(curveStops[points.length] - step);
  }
  const picture = await trainer.render();
  const shorterSide = Math.min(width, height);
  const draw = drawWith(backend, config, image);
  // A run that went astray has none: a file cannot hold what is no finite number.
  const { parameters } = trainer.state;
  const hasFiniteParameters = parameters.every(Number.isFinite);
  const file = hasFiniteParameters ? await encodeByError(config, parameters, picture, image, draw) : undefined;
  const measuredFile = file && (await measureFile(file, image, draw));
  const run: QualityRun = {
    part,
    row,
    image: name,
    width,
    height,
    blobs,
    steps: trainer.step,
    seconds: trainer.seconds,
    psnr: psnr(picture, image),
    ssim: shorterSide >= minSide.ssim ? ssim(picture, image) : Number.NaN,
    msSsim: shorterSide >= minSide.msSsim ? msSsim(picture, image) : Number.NaN,
    bytes: file?.length ?? Number.NaN,
    bitsPerPixel: file ? (8 * file.length) / (width * height) : Number.NaN,
    filePsnr: measuredFile?.psnr ?? Number.NaN,
    config,
    date: new Date().toISOString(),
  };
  return { run, points, ...(file && { file }) };
}

/** The steps after which a curve has a point: evenly apart on a logarithmic axis, the last step among them. */
export function curveSteps(steps: number): number[] {
  const first = Math.min(firstPoint, steps);
  const stepAt = (i: number) => Math.round(first * (steps / first) ** (i / (curvePoints - 1)));
  return [...new Set(Array.from({ length: curvePoints }, (_, i) => stepAt(i)))];
}
