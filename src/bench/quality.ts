import type { CurvePoint, QualityRun } from "../engine/bench/qualityResult.js";
import type { TrainConfig } from "../engine/config.js";
import { drawOn, encodeByError, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { leastSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { QualityJob } from "./qualityJobs.js";

/** A picture to learn, by its file name without extension. */
export interface NamedPicture {
  name: string;
  image: Image;
}

/** A run that is done. */
export interface Trained {
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
const longest = 1_000_000;

/** A warm-up ends at the first of these. */
const warmUp = { steps: 100, seconds: 1 };

/**
 * Trains each job on each picture, job by job, and yields what came of it. Where a kernel may have to be compiled, a few
 * steps go before that do not count.
 */
export async function* trainQuality(
  jobs: QualityJob[],
  pictures: NamedPicture[],
  backend: Backend,
): AsyncGenerator<Trained, void, void> {
  for (const job of jobs) {
    let warmFor = "";
    for (const picture of pictures) {
      const { width, height } = picture.image;
      if (warmFor !== `${width}x${height}`) await warm(job.config, picture.image, backend);
      warmFor = `${width}x${height}`;
      yield await train(job, picture, backend);
    }
  }
}

async function warm(config: TrainConfig, image: Image, backend: Backend): Promise<void> {
  const trainer = new Trainer(config, image, backend);
  const end = new AbortController();
  for await (const { seconds } of trainer.run({ until: Math.min(warmUp.steps, config.steps), signal: end.signal })) {
    if (seconds > warmUp.seconds) end.abort();
  }
}

async function train(
  { part, row, config, seconds: limit }: QualityJob,
  { name, image }: NamedPicture,
  backend: Backend,
) {
  const { width, height } = image;
  const { blobs } = config;
  const trainer = new Trainer(config, image, backend);
  const points: CurvePoint[] = [];
  const stops = curveSteps(limit === undefined ? config.steps : longest);
  trainer.advance(stops[0]);
  // What is read back at a stop takes none of the training's seconds.
  for await (const { step, seconds, psnr, recorded } of trainer.run({ interval: 1000, seconds: limit })) {
    if (step < stops[points.length] && !recorded) continue;
    points.push({ row, image: name, blobs, step, seconds, psnr });
    if (!recorded) trainer.advance(stops[points.length] - step);
  }
  const picture = await trainer.render();
  const least = Math.min(width, height);
  const draw = drawOn(backend, config, image);
  // A run that went astray has none: a file cannot hold what is no finite number.
  const { parameters } = trainer.state;
  const isSound = parameters.every(Number.isFinite);
  const file = isSound ? await encodeByError(config, parameters, picture, image, draw) : undefined;
  const measured = file && (await measureFile(file, image, draw));
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
    ssim: least >= leastSide.ssim ? ssim(picture, image) : Number.NaN,
    msSsim: least >= leastSide.msSsim ? msSsim(picture, image) : Number.NaN,
    bytes: file?.length ?? Number.NaN,
    bitsPerPixel: file ? (8 * file.length) / (width * height) : Number.NaN,
    filePsnr: measured?.psnr ?? Number.NaN,
    config,
    date: new Date().toISOString(),
  };
  return { run, points, ...(file && { file }) };
}

/** The steps after which a curve has a point: evenly apart on a logarithmic axis, the last step among them. */
export function curveSteps(steps: number): number[] {
  const first = Math.min(firstPoint, steps);
  const at = (i: number) => Math.round(first * (steps / first) ** (i / (curvePoints - 1)));
  return [...new Set(Array.from({ length: curvePoints }, (_, i) => at(i)))];
}
