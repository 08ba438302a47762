import { readFile } from "node:fs/promises";
import { parse } from "node:path";
import { type Quality, type QualityRun, qualityFile, readQuality } from "../engine/bench/qualityResult.js";
import { untilDivergence } from "../engine/divergence.js";
import { parseNumber } from "../engine/fields.js";
import { drawWith, encodeByError, fileSize, measureFile } from "../engine/files/splat2d/roundTrip.js";
import type { Image } from "../engine/image/image.js";
import { minSide, msSsim, psnr, ssim } from "../engine/image/metrics.js";
import type { Backend } from "../engine/pipeline.js";
import { Trainer } from "../engine/training/trainer.js";
import { openEngine } from "../host/node/engine.js";
import { readLibrary } from "../host/node/project.js";
import { followLink, writeFile } from "../runs/staging.js";
import { Failure, isSystemError, toFailure, usageFailure } from "../terminal/failure.js";
import { checkCount, checkPath, flagOf, optionalCount, parseSize } from "../terminal/flags.js";
import { type BenchOptions, benchOrigin, galleryPaths, loadImage, noteOf, parsePipelines, print } from "./options.js";
import { type QualityJob, qualityJobs } from "./qualityJobs.js";
import { qualityTable } from "./table.js";

/** Runs `splatbook bench --quality`. */
export async function benchQuality(paths: string[], options: BenchOptions): Promise<void> {
  if (options.out === undefined) throw usageFailure("--quality needs --out, the Arrow file to write.");
  for (const name of ["scaling", "seconds", "tile", "gaussiansPerBlock"] as const) {
    if (options[name] !== undefined) throw usageFailure(`${flagOf(name)} cannot be combined with --quality.`);
  }
  const pipelines = parsePipelines(options.pipelines ?? "binned");
  const [pipeline] = pipelines;
  if (pipelines.length > 1)
    throw usageFailure(`--quality needs exactly one pipeline in --pipelines (got ${pipelines.length}).`);
  const list = (text?: string) => text?.split(",").map((item) => item.trim());
  const jobs = qualityJobs({
    rows: list(options.rows),
    blobs: list(options.blobs)?.map((text) => checkCount("blobs", parseNumber(text))),
    steps: optionalCount("steps", options.steps),
    common: { pipeline },
  });
  const size = options.size === undefined ? undefined : parseSize(options.size);
  const images = new Map<string, Image>();
  for (const path of paths.length > 0 ? paths : await galleryPaths()) {
    const { name } = parse(path);
    if (images.has(name)) throw usageFailure(`Images need different file names (got two named ${name}).`);
    images.set(name, (await loadImage(path, size)).image);
  }
  const out = await followLink(checkPath(options.out));
  const engine = await openEngine(pipeline, readLibrary, optionalCount("workers", options.workers));
  try {
    if (engine.fallback !== undefined) throw new Failure(`${engine.fallback} Use --pipelines cpu.`);
    print(await record(jobs, images, engine.backend, out, noteOf(options)), qualityTable, options.json);
  } finally {
    engine.close();
  }
}

/**
 * Trains each job on each image, and writes the file after each run, so that an interrupted command loses none. Runs that
 * the file already has are skipped.
 * @throws Failure if the file was recorded on another adapter
 */
async function record(
  jobs: QualityJob[],
  images: Map<string, Image>,
  backend: Backend,
  out: string,
  note: (text: string) => void,
): Promise<Quality> {
  const quality = { ...benchOrigin(backend.description), runs: [] as QualityRun[] };
  const earlier = await readEarlier(out);
  if (earlier && earlier.adapter !== quality.adapter) {
    throw new Failure(
      `${out} was recorded on ${earlier.adapter}, but this is ${quality.adapter}; choose another --out.`,
    );
  }
  quality.runs = earlier?.runs ?? [];
  const order = qualityJobs().map(({ part, row }) => `${part} ${row}`);
  const rankOf = ({ part, row }: QualityRun) => order.indexOf(`${part} ${row}`);
  let skipped = 0;
  for (const job of jobs) {
    let warmSize = "";
    for (const [name, image] of images) {
      const isSame = (run: QualityRun) => run.row === job.row && run.image === name && run.blobs === job.config.blobs;
      const isDone = (run: QualityRun) =>
        isSame(run) &&
        run.width === image.width &&
        run.height === image.height &&
        JSON.stringify(run.config) === JSON.stringify(job.config);
      if (quality.runs.some(isDone)) {
        skipped++;
        continue;
      }
      const size = `${image.width}x${image.height}`;
      // A short run compiles the kernels, so that the training time does not include it.
      if (warmSize !== size)
        await train(
          { ...job, config: { ...job.config, steps: Math.min(100, job.config.steps) }, seconds: 1 },
          name,
          image,
          backend,
        );
      warmSize = size;
      const run = await train(job, name, image, backend);
      quality.date = run.date;
      quality.runs = [...quality.runs.filter((other) => !isSame(other)), run];
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
