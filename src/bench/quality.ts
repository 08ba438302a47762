import type { Quality, QualityRun } from "../engine/bench/results.js";
import { untilDivergence } from "../engine/divergence.js";
import { drawWith } from "../engine/files/splat2d/drawFile.js";
import { encodeByError, fileSize, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { minSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import { benchOrigin } from "./images.js";
import type { QualityJob } from "./qualityJobs.js";

/**
 * Trains each job on each image.
 * @param note called with the result of each run
 */
export async function measureQuality(
  jobs: QualityJob[],
  images: Map<string, Image>,
  backend: Backend,
  note: (text: string) => void,
): Promise<Quality> {
  const runs: QualityRun[] = [];
  for (const job of jobs) {
    let warmSize = "";
    for (const [name, image] of images) {
      const size = `${image.width}x${image.height}`;
      if (warmSize !== size) await compileKernels(job, image, backend);
      warmSize = size;
      const run = await train(job, name, image, backend);
      runs.push(run);
      note(`${run.row}, ${name}, ${run.blobs} blobs: ${run.psnr.toFixed(2)} dB in ${run.seconds.toPrecision(3)} s`);
    }
  }
  return { ...benchOrigin(backend.description), runs };
}

/** Trains a few steps, so that the training time does not include the compilation of the kernels. */
async function compileKernels({ config }: QualityJob, image: Image, backend: Backend): Promise<void> {
  const run = new Trainer(config, image, backend).run({ until: Math.min(100, config.steps), seconds: 1 });
  for await (const _ of untilDivergence(run));
}

async function train(job: QualityJob, name: string, image: Image, backend: Backend): Promise<QualityRun> {
  const { part, row, config } = job;
  const { width, height } = image;
  const trainer = new Trainer(config, image, backend);
  // If it diverges, the last finite state is measured.
  for await (const _ of untilDivergence(trainer.run({ interval: 1000, seconds: job.seconds })));
  const render = await trainer.render();
  const draw = drawWith(backend, config, image);
  const file = await encodeByError(config, trainer.state.parameters, render, image, draw);
  const shorterSide = Math.min(width, height);
  return {
    part,
    row,
    image: name,
    width,
    height,
    blobs: config.blobs,
    steps: trainer.step,
    seconds: trainer.seconds,
    psnr: psnr(render, image),
    ssim: shorterSide >= minSide.ssim ? ssim(render, image) : Number.NaN,
    msSsim: shorterSide >= minSide.msSsim ? msSsim(render, image) : Number.NaN,
    ...fileSize(file, image),
    filePsnr: (await measureFile(file, image, draw)).psnr,
  };
}
