import { readFile } from "node:fs/promises";
import { type Quality, type QualityRun, qualityFile, readQuality } from "../engine/bench/qualityResult.js";
import { untilDivergence } from "../engine/divergence.js";
import { drawWith } from "../engine/files/splat2d/drawFile.js";
import { encodeByError, fileSize, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { minSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import { followLink, writeFile } from "../runs/staging.js";
import { Failure, isSystemError, toFailure } from "../terminal/failure.js";
import { benchOrigin } from "./images.js";
import { type QualityJob, qualityJobs } from "./qualityJobs.js";

/**
 * Trains each job on each image, and writes the file after each run, so that an interrupted command loses none. Runs that
 * the file already has are skipped.
 * @throws Failure if the file was recorded on another adapter
 */
export async function recordQuality(
  jobs: QualityJob[],
  images: Map<string, Image>,
  backend: Backend,
  path: string,
  note: (text: string) => void,
): Promise<Quality> {
  const out = await followLink(path);
  const origin = benchOrigin(backend.description);
  const earlier = await readEarlier(out);
  if (earlier && earlier.adapter !== origin.adapter)
    throw new Failure(
      `${out} was recorded on ${earlier.adapter}, but this is ${origin.adapter}; choose another --out.`,
    );
  const quality: Quality = { ...origin, runs: earlier?.runs ?? [] };
  const order = qualityJobs().map(({ part, row }) => `${part} ${row}`);
  const rankOf = ({ part, row }: QualityRun) => order.indexOf(`${part} ${row}`);
  const textOf = ({ config, width, height }: Pick<QualityRun, "config" | "width" | "height">) =>
    JSON.stringify([config, width, height]);
  let skipped = 0;
  for (const job of jobs) {
    let warmSize = "";
    for (const [name, image] of images) {
      const { width, height } = image;
      const isSame = (run: QualityRun) => run.row === job.row && run.image === name && run.blobs === job.config.blobs;
      const same = quality.runs.find(isSame);
      if (same && textOf(same) === textOf({ ...job, width, height })) {
        skipped++;
        continue;
      }
      if (warmSize !== `${width}x${height}`) await compileKernels(job, image, backend);
      warmSize = `${width}x${height}`;
      const run = await train(job, name, image, backend);
      quality.date = run.date;
      quality.runs = [...quality.runs.filter((other) => other !== same), run];
      // The images of a row keep their order.
      quality.runs.sort((a, b) => rankOf(a) - rankOf(b) || a.blobs - b.blobs);
      await writeFile(out, qualityFile(quality));
      note(`${run.row}, ${name}, ${run.blobs} blobs: ${run.psnr.toFixed(2)} dB in ${run.seconds.toPrecision(3)} s`);
    }
  }
  if (skipped > 0) note(`Skipped ${skipped} of the runs, which are already in ${out}.`);
  return quality;
}

async function readEarlier(path: string): Promise<Quality | undefined> {
  try {
    return readQuality(await readFile(path));
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw new Failure(`${path} cannot be continued: ${toFailure(error).message}`);
  }
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
    config,
    date: new Date().toISOString(),
  };
}
