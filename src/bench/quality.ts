import type { QualityRun } from "../engine/bench/qualityResult.js";
import type { TrainConfig } from "../engine/config.js";
import { untilDivergence } from "../engine/divergence.js";
import { drawWith, encodeByError, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { minSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import type { QualityJob } from "./qualityJobs.js";

/** An image to learn, with its file name without extension. */
export interface NamedImage {
  name: string;
  image: Image;
}

/** Limits of a warm-up, which ends at the first one. */
const warmUp = { steps: 100, seconds: 1 };

/**
 * Trains each job on each image, and yields the results. Before the first run of a job at an image size, a warm-up
 * compiles the kernels.
 */
export async function* trainQuality(
  jobs: QualityJob[],
  images: NamedImage[],
  backend: Backend,
): AsyncGenerator<QualityRun, void, void> {
  for (const job of jobs) {
    let warmSize = "";
    for (const image of images) {
      const size = `${image.image.width}x${image.image.height}`;
      if (warmSize !== size) await warmUpKernels(job.config, image.image, backend);
      warmSize = size;
      yield await train(job, image, backend);
    }
  }
}

async function warmUpKernels(config: TrainConfig, image: Image, backend: Backend): Promise<void> {
  const trainer = new Trainer(config, image, backend);
  const controller = new AbortController();
  const run = trainer.run({ until: Math.min(warmUp.steps, config.steps), signal: controller.signal });
  for await (const { seconds } of untilDivergence(run)) {
    if (seconds > warmUp.seconds) controller.abort();
  }
}

async function train(
  { part, row, config, seconds: limit }: QualityJob,
  { name, image }: NamedImage,
  backend: Backend,
): Promise<QualityRun> {
  const { width, height } = image;
  const { blobs } = config;
  const trainer = new Trainer(config, image, backend);
  // If it diverges, the last finite state is measured.
  for await (const _ of untilDivergence(trainer.run({ interval: 1000, seconds: limit })));
  const render = await trainer.render();
  const shorterSide = Math.min(width, height);
  const draw = drawWith(backend, config, image);
  const file = await encodeByError(config, trainer.state.parameters, render, image, draw);
  const measuredFile = await measureFile(file, image, draw);
  return {
    part,
    row,
    image: name,
    width,
    height,
    blobs,
    steps: trainer.step,
    seconds: trainer.seconds,
    psnr: psnr(render, image),
    ssim: shorterSide >= minSide.ssim ? ssim(render, image) : Number.NaN,
    msSsim: shorterSide >= minSide.msSsim ? msSsim(render, image) : Number.NaN,
    bytes: file.length,
    bitsPerPixel: (8 * file.length) / (width * height),
    filePsnr: measuredFile.psnr,
    config,
    date: new Date().toISOString(),
  };
}
