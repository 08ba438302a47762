import { parse } from "node:path";
import type { BenchResult } from "../engine/bench/measure.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { fields, parseNumber } from "../engine/fields.js";
import type { Image, Size } from "../engine/image/image.js";
import { nodeCpu } from "../host/node/cpu.js";
import { Engines } from "../runs/engines.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkCount } from "../terminal/flags.js";
import { showLine } from "../terminal/progress.js";
import { checkName, refuseOptions } from "./options.js";

/** Number of blobs on a CPU, where the preset's number would take minutes per step. */
const cpuBlobs = 2000;

export interface BenchOptions {
  pipelines?: string;
  blobs?: string;
  steps?: number;
  seconds?: number;
  tile?: string;
  gaussiansPerBlock?: string;
  workers?: number;
  size?: Size;
  scaling?: boolean;
  quality?: boolean;
  rows?: string;
  json?: boolean;
  quiet?: boolean;
}

export async function bench(paths: string[], options: BenchOptions): Promise<void> {
  await (options.quality ? benchQuality : benchSpeed)(paths, options);
}

const listed = (text?: string) => text?.split(",").map((item) => item.trim());

const pipelinesOf = (text: string) =>
  [...new Set(listed(text))].map((name): PipelineName => checkName("--pipelines", name, fields.pipeline.choices));

async function benchSpeed(paths: string[], options: BenchOptions): Promise<void> {
  const { scaling, size, steps, workers, json, quiet } = options;
  if (paths.length > 1) throw usageFailure(`bench takes one image without --quality (got ${paths.length}).`);
  if (options.rows !== undefined) throw usageFailure("--rows needs --quality.");
  if (scaling && steps !== undefined) throw usageFailure("--scaling takes --seconds instead of --steps.");
  const pipelines = pipelinesOf(options.pipelines ?? (scaling ? "tiled,binned" : fields.pipeline.choices.join()));
  const seconds = options.seconds ?? (scaling ? 1 : 5);
  const job = {
    blobs: options.blobs === undefined ? undefined : parseNumber(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock && parseNumber(options.gaussiansPerBlock),
  };
  for (const pipeline of pipelines) completeConfig({ ...job, pipeline });
  const { benchImage, benchOrigin, galleryPaths, loadImage } = await import("../bench/images.js");
  const path = paths[0] ?? (await galleryPaths()).find((name) => name.endsWith("astronaut.png"))!;
  const loaded = await loadImage(path, scaling ? undefined : size);

  using engines = new Engines(true, true);
  const gpuPipeline = pipelines.find((name) => name !== "cpu");
  const { backend, fallback, isSoftware } = await engines.engineFor(gpuPipeline ?? "cpu");
  if (fallback !== undefined) {
    if (options.pipelines !== undefined || scaling) throw new Failure(`${fallback} Use --pipelines cpu.`);
    showLine(`${fallback} Only the CPU engine is measured.`);
  }
  const measured = pipelines.filter((name) => name === "cpu" || fallback === undefined);
  const usesGpu = measured.some((name) => name !== "cpu");
  if (!usesGpu || isSoftware) job.blobs ??= cpuBlobs;
  const configs = measured.map((pipeline) => completeConfig({ ...job, pipeline }));
  const cpu = nodeCpu(workers);
  const backendOf = (name: PipelineName) => (name === "cpu" ? cpu : backend);
  const origin = { ...benchOrigin(usesGpu ? backend.description : undefined), image: await benchImage(loaded) };
  const { scalingTable, speedTable } = await import("../bench/table.js");
  const note = quiet ? () => {} : (text: string) => showLine(text);
  if (scaling) {
    const { measureScaling } = await import("../bench/scaling.js");
    const baseSize = size ?? { width: 512, height: 512 };
    const rows = await measureScaling(configs, loaded.image, baseSize, backendOf, seconds, note);
    print({ ...origin, rows }, scalingTable, json);
  } else {
    for (const config of configs) backendOf(config.pipeline).check(config, loaded.image);
    const { measure } = await import("../engine/bench/measure.js");
    const measurements = await measure(configs, loaded.image, backendOf, { steps, seconds }, note);
    const { pipeline: _, ...config } = configs[0];
    print({ ...origin, config, measurements } satisfies BenchResult, speedTable, json);
  }
}

async function benchQuality(paths: string[], options: BenchOptions): Promise<void> {
  const { rows, blobs, steps, size, workers, json, quiet } = options;
  refuseOptions(options, ["scaling", "seconds", "tile", "gaussiansPerBlock"], "combined with --quality");
  const [pipeline, ...otherPipelines] = pipelinesOf(options.pipelines ?? "binned");
  if (otherPipelines.length > 0)
    throw usageFailure(`--quality needs exactly one pipeline in --pipelines (got ${otherPipelines.length + 1}).`);
  const { qualityJobs } = await import("../bench/qualityJobs.js");
  const blobCounts = listed(blobs)?.map((text) => checkCount("blobs", parseNumber(text)));
  const jobs = qualityJobs({ rows: listed(rows), blobs: blobCounts, steps, common: { pipeline } });
  const { galleryPaths, loadImage } = await import("../bench/images.js");
  const images = new Map<string, Image>();
  for (const path of paths.length > 0 ? paths : await galleryPaths()) {
    const { name } = parse(path);
    if (images.has(name)) throw usageFailure(`Images need different file names (got two named ${name}).`);
    images.set(name, (await loadImage(path, size)).image);
  }
  using engines = new Engines(true, true, workers);
  const engine = await engines.engineFor(pipeline);
  if (engine.fallback !== undefined) throw new Failure(`${engine.fallback} Use --pipelines cpu.`);
  const { measureQuality } = await import("../bench/quality.js");
  const { qualityTable } = await import("../bench/table.js");
  const note = quiet ? () => {} : (text: string) => showLine(text);
  print(await measureQuality(jobs, images, engine.backend, note), qualityTable, json);
}

/** Prints a result as one JSON object, or as text. */
function print<T>(result: T, toText: (result: T) => string, json = false): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${toText(result)}\n`);
}
