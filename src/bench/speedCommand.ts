import type { BenchResult } from "../engine/bench/benchResult.js";
import { measure } from "../engine/bench/measure.js";
import { type ScalingRow, scalingFile } from "../engine/bench/scaling.js";
import { operationsPerPair } from "../engine/bench/work.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import type { Peak } from "../engine/pipeline.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { checkWritable, writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkPath, checkPositive, optionalCount, parseSize } from "../terminal/flags.js";
import { type BenchOptions, cpuBlobs, pipelineNames, progressNote, seconds } from "./options.js";
import { benchOrigin, imageOrigin } from "./origin.js";
import { resizeImage } from "./resize.js";
import { measureScaling } from "./scaling.js";
import { parseSweeps, scalingJobs } from "./scalingJobs.js";
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
  for (const name of ["rows", "keep"] as const) {
    if (options[name] !== undefined) throw usageFailure(`--${name} needs --quality.`);
  }
  const sweeps = options.scaling === undefined ? undefined : parseSweeps(options.scaling);
  if (sweeps && options.out === undefined) throw usageFailure("--scaling needs --out, the Arrow file to write.");
  if (sweeps && options.steps !== undefined) throw usageFailure("--scaling takes --seconds instead of --steps.");
  if (!sweeps && options.out !== undefined)
    throw usageFailure("--out needs --scaling or --quality; --json prints to stdout.");
  const names = pipelineNames(options.pipelines ?? (sweeps ? "tiled,binned" : undefined));
  const steps = optionalCount("steps", options.steps);
  const measureSeconds = checkPositive(
    "seconds",
    parseNumber(options.seconds ?? seconds[sweeps ? "scaling" : "alone"]),
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
      if (options.pipelines !== undefined || sweeps) throw new Failure(`${engine.fallback} Use --pipelines cpu.`);
      process.stderr.write(`${engine.fallback} Only the CPU engine is measured.\n`);
    }
    const cpu = nodeCpu(workers);
    const backendOf = (pipeline: PipelineName) => (pipeline === "cpu" || !engine ? cpu : engine.backend);
    const configs = measured.map((pipeline) => completeConfig({ ...common, pipeline }));
    const note = progressNote(options.quiet);
    const gpuBackend = engine && engine.fallback === undefined ? engine.backend : undefined;
    const describeOrigin = async (peak: Peak | undefined) => ({
      ...benchOrigin(site),
      ...(gpuBackend && { adapter: gpuBackend.description }),
      ...(peak && { peak }),
      image: await imageOrigin(name, image),
    });
    const measurePeak = async () => {
      if (gpuBackend) note("measuring the adapter's peak");
      return gpuBackend?.measurePeak?.();
    };
    if (sweeps) {
      const out = checkPath(options.out!);
      await checkWritable(out);
      const [{ blobs, tile }] = configs;
      const base = { blobs, tile: tile.join("x"), size: size ?? { width: 512, height: 512 } };
      const peak = await measurePeak();
      const jobs = scalingJobs(base, sweeps);
      const origin = await describeOrigin(peak);
      const saveRows = (rows: ScalingRow[]) => writeFile(out, scalingFile({ ...origin, rows }));
      const rows = await measureScaling(jobs, measured, loadedImage, backendOf, measureSeconds, note, saveRows);
      const scaling = { ...origin, rows };
      process.stdout.write(options.json ? `${JSON.stringify(scaling, null, 2)}\n` : scalingTable(scaling));
      return;
    }
    for (const config of configs) backendOf(config.pipeline).check(config, image);
    const peak = await measurePeak();
    const measurements = await measure(configs, image, backendOf, { steps, seconds: measureSeconds }, peak, note);
    const { pipeline: _, ...config } = configs[0];
    const result: BenchResult = { ...(await describeOrigin(peak)), operationsPerPair, config, measurements };
    process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : speedTable(result));
  } finally {
    engine?.close();
  }
}
