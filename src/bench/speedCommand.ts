import type { BenchResult } from "../engine/bench/benchResult.js";
import { measure } from "../engine/bench/measure.js";
import { type ScalingRow, scalingFile } from "../engine/bench/scaling.js";
import { operationsPerPair } from "../engine/bench/work.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import type { Peak } from "../engine/pipeline.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { checkWritable, writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkCount, checkPath, checkPositive, parseSize } from "../terminal/flags.js";
import { type BenchOptions, cpuBlobs, pipelineNames, seconds } from "./options.js";
import { resizeImage } from "./resize.js";
import { measureScaling } from "./scaling.js";
import { parseSweeps, scalingJobs } from "./scalingJobs.js";
import type { BenchSite } from "./site.js";
import { scalingTable, speedTable } from "./table.js";

/** Carries out `splatbook bench` without --quality. */
export async function benchSpeed(
  site: BenchSite,
  [path, ...extraPaths]: string[],
  options: BenchOptions,
): Promise<void> {
  if (extraPaths.length > 0)
    throw usageFailure(`bench takes one picture without --quality, not ${extraPaths.length + 1}.`);
  for (const name of ["rows", "keep"] as const) {
    if (options[name] !== undefined) throw usageFailure(`--${name} belongs to --quality.`);
  }
  const sweeps = options.scaling === undefined ? undefined : parseSweeps(options.scaling);
  if (sweeps && options.out === undefined) throw usageFailure("--scaling needs --out, the Arrow file to write.");
  if (sweeps && options.steps !== undefined) throw usageFailure("--scaling takes --seconds, and no --steps.");
  if (!sweeps && options.out !== undefined)
    throw usageFailure("--out belongs to --scaling and --quality; --json prints on stdout.");
  const names = pipelineNames(options.pipelines ?? (sweeps ? "tiled,binned" : undefined));
  const steps = options.steps === undefined ? undefined : checkCount("steps", parseNumber(options.steps));
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
  const workers = options.workers === undefined ? undefined : checkCount("workers", parseNumber(options.workers));
  const { name, image: loadedImage } = await site.loadImage(path);
  const image = size ? resizeImage(loadedImage, size) : loadedImage;

  const gpuPipeline = names.find((pipeline) => pipeline !== "cpu");
  const engine = gpuPipeline && (await openEngine(gpuPipeline, site.readLibrary));
  try {
    const isSlow = !engine || engine.isSoftware || engine.fallback !== undefined;
    if (isSlow) common.blobs ??= cpuBlobs;
    const measured = engine?.fallback === undefined ? names : names.filter((pipeline) => pipeline === "cpu");
    if (engine?.fallback !== undefined) {
      if (options.pipelines !== undefined || sweeps)
        throw new Failure(`${engine.fallback} Only --pipelines cpu can be measured.`);
      process.stderr.write(`${engine.fallback} Only the CPU engine is measured.\n`);
    }
    const cpu = nodeCpu(workers);
    const backendOf = (pipeline: PipelineName) => (pipeline === "cpu" || !engine ? cpu : engine.backend);
    const configs = measured.map((pipeline) => completeConfig({ ...common, pipeline }));
    const note = options.quiet ? () => {} : (progress: string) => process.stderr.write(`${progress}\n`);
    const gpuBackend = engine && engine.fallback === undefined ? engine.backend : undefined;
    const describeOrigin = async (peak: Peak | undefined) => ({
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      ...(gpuBackend && { adapter: gpuBackend.description }),
      ...(peak && { peak }),
      image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
    });
    const measurePeak = async () => {
      if (gpuBackend) note("the adapter's peak: measuring");
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
