import type { BenchResult } from "../engine/bench/benchResult.js";
import { measure } from "../engine/bench/measure.js";
import { type ScalingRow, scalingFile } from "../engine/bench/scaling.js";
import { operationsPerPair } from "../engine/bench/work.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { numeric } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import type { Peak } from "../engine/pipeline.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { checkWritable, writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { count, outPath, parseSize, positive } from "../terminal/flags.js";
import { type BenchOptions, fewBlobs, pipelineNames, seconds } from "./options.js";
import { resizeImage } from "./resize.js";
import { measureScaling } from "./scaling.js";
import { parseSweeps, scalingJobs } from "./scalingJobs.js";
import type { BenchSite } from "./site.js";
import { scalingTable, table } from "./table.js";

/** Carries out `splatbook bench` without --quality. */
export async function benchSpeed(site: BenchSite, [path, ...more]: string[], options: BenchOptions): Promise<void> {
  if (more.length > 0) throw usageFailure(`bench takes one picture without --quality, not ${more.length + 1}.`);
  for (const name of ["rows", "keep"] as const) {
    if (options[name] !== undefined) throw usageFailure(`--${name} belongs to --quality.`);
  }
  const sweeps = options.scaling === undefined ? undefined : parseSweeps(options.scaling);
  if (sweeps && options.out === undefined) throw usageFailure("--scaling needs --out, the Arrow file to write.");
  if (sweeps && options.steps !== undefined) throw usageFailure("--scaling takes --seconds, and no --steps.");
  if (!sweeps && options.out !== undefined)
    throw usageFailure("--out belongs to --scaling and --quality; --json prints on stdout.");
  const names = pipelineNames(options.pipelines ?? (sweeps ? "tiled,binned" : undefined));
  const steps = options.steps === undefined ? undefined : count("steps", numeric(options.steps));
  const time = positive("seconds", numeric(options.seconds ?? seconds[sweeps ? "scaling" : "alone"]));
  const common = {
    blobs: options.blobs === undefined ? undefined : numeric(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock && numeric(options.gaussiansPerBlock),
  };
  for (const pipeline of names) completeConfig({ ...common, pipeline });
  const size = options.size === undefined ? undefined : parseSize(options.size);
  const workers = options.workers === undefined ? undefined : count("workers", numeric(options.workers));
  const { name, image: loaded } = await site.loadImage(path);
  const image = size ? resizeImage(loaded, size) : loaded;

  const gpuName = names.find((pipeline) => pipeline !== "cpu");
  const engine = gpuName && (await openEngine(gpuName, site.readLibrary));
  try {
    const slow = !engine || engine.isSoftware || engine.fallback !== undefined;
    if (slow) common.blobs ??= fewBlobs;
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
    const onGpu = engine && engine.fallback === undefined ? engine.backend : undefined;
    const originOf = async (peak: Peak | undefined) => ({
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      ...(onGpu && { adapter: onGpu.description }),
      ...(peak && { peak }),
      image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
    });
    const measurePeak = async () => {
      if (onGpu) note("the adapter's peak: measuring");
      return onGpu?.measurePeak?.();
    };
    if (sweeps) {
      const out = outPath(options.out!);
      await checkWritable(out);
      const [{ blobs, tile }] = configs;
      const base = { blobs, tile: tile.join("x"), size: size ?? { width: 512, height: 512 } };
      const peak = await measurePeak();
      const jobs = scalingJobs(base, sweeps);
      const origin = await originOf(peak);
      const keep = (rows: ScalingRow[]) => writeFile(out, scalingFile({ ...origin, rows }));
      const rows = await measureScaling(jobs, measured, loaded, backendOf, time, note, keep);
      const scaling = { ...origin, rows };
      process.stdout.write(options.json ? `${JSON.stringify(scaling, null, 2)}\n` : scalingTable(scaling));
      return;
    }
    for (const config of configs) backendOf(config.pipeline).check(config, image);
    const peak = await measurePeak();
    const measurements = await measure(configs, image, backendOf, { steps, seconds: time }, peak, note);
    const { pipeline: _, ...config } = configs[0];
    const result: BenchResult = { ...(await originOf(peak)), operationsPerPair, config, measurements };
    process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : table(result));
  } finally {
    engine?.close();
  }
}
