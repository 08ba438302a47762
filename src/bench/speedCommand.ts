import type { BenchResult } from "../engine/bench/benchResult.js";
import { measure } from "../engine/bench/measure.js";
import { type ScalingRow, scalingFile } from "../engine/bench/scaling.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { checkWritable, writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkPath, checkPositive, optionalCount, parseSize } from "../terminal/flags.js";
import { type BenchOptions, cpuBlobs, pipelineNames, progressNote, seconds } from "./options.js";
import { benchOrigin, imageOrigin } from "./origin.js";
import { resizeImage } from "./resize.js";
import { measureScaling } from "./scaling.js";
import { scalingJobs } from "./scalingJobs.js";
import type { BenchSite } from "./site.js";
import { scalingTable, speedTable } from "./table.js";

/** Runs `splatbook bench` without --quality. */
export async function benchSpeed(
  site: BenchSite,
  [path, ...extraPaths]: string[],
  options: BenchOptions,
): Promise<void> {
  if (extraPaths.length > 0)
    throw usageFailure(`bench takes one image without --quality (got ${extraPaths.length + 1}).`);
  if (options.rows !== undefined) throw usageFailure("--rows needs --quality.");
  const { scaling } = options;
  if (scaling && options.out === undefined) throw usageFailure("--scaling needs --out, the Arrow file to write.");
  if (scaling && options.steps !== undefined) throw usageFailure("--scaling takes --seconds instead of --steps.");
  if (!scaling && options.out !== undefined)
    throw usageFailure("--out needs --scaling or --quality; --json prints to stdout.");
  const names = pipelineNames(options.pipelines ?? (scaling ? "tiled,binned" : undefined));
  const steps = optionalCount("steps", options.steps);
  const measureSeconds = checkPositive(
    "seconds",
    parseNumber(options.seconds ?? seconds[scaling ? "scaling" : "alone"]),
  );
  const common = {
    blobs: options.blobs === undefined ? undefined : parseNumber(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock && parseNumber(options.gaussiansPerBlock),
  };
  for (const pipeline of names) completeConfig({ ...common, pipeline });
  const size = options.size === undefined ? undefined : parseSize(options.size);
  const workers = optionalCount("workers", options.workers);
  const { name, image: loadedImage } = await site.loadImage(path);
  const image = size ? resizeImage(loadedImage, size) : loadedImage;

  const gpuPipeline = names.find((pipeline) => pipeline !== "cpu");
  const engine = gpuPipeline && (await openEngine(gpuPipeline, site.readLibrary));
  try {
    const isSlow = !engine || engine.isSoftware || engine.fallback !== undefined;
    if (isSlow) common.blobs ??= cpuBlobs;
    const measured = engine?.fallback === undefined ? names : names.filter((pipeline) => pipeline === "cpu");
    if (engine?.fallback !== undefined) {
      if (options.pipelines !== undefined || scaling) throw new Failure(`${engine.fallback} Use --pipelines cpu.`);
      process.stderr.write(`${engine.fallback} Only the CPU engine is measured.\n`);
    }
    const cpu = nodeCpu(workers);
    const backendOf = (pipeline: PipelineName) => (pipeline === "cpu" || !engine ? cpu : engine.backend);
    const configs = measured.map((pipeline) => completeConfig({ ...common, pipeline }));
    const note = progressNote(options.quiet);
    const gpuBackend = engine && engine.fallback === undefined ? engine.backend : undefined;
    const origin = {
      ...benchOrigin(site),
      ...(gpuBackend && { adapter: gpuBackend.description }),
      image: await imageOrigin(name, image),
    };
    if (scaling) {
      const out = checkPath(options.out!);
      await checkWritable(out);
      const [{ blobs, tile }] = configs;
      const base = { blobs, tile: tile.join("x"), size: size ?? { width: 512, height: 512 } };
      const jobs = scalingJobs(base);
      const saveRows = (rows: ScalingRow[]) => writeFile(out, scalingFile({ ...origin, rows }));
      const rows = await measureScaling(jobs, measured, loadedImage, backendOf, measureSeconds, note, saveRows);
      const result = { ...origin, rows };
      process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : scalingTable(result));
      return;
    }
    for (const config of configs) backendOf(config.pipeline).check(config, image);
    const measurements = await measure(configs, image, backendOf, { steps, seconds: measureSeconds }, note);
    const { pipeline: _, ...config } = configs[0];
    const result: BenchResult = { ...origin, config, measurements };
    process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : speedTable(result));
  } finally {
    engine?.close();
  }
}
