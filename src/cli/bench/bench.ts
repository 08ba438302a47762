import { Command } from "commander";
import type { BenchResult } from "../../engine/benchResult.js";
import { allowedNames, ConfigError, completeConfig, type PipelineName } from "../../engine/config.js";
import { cpuBackend } from "../../engine/cpu/pipeline.js";
import type { ShaderLibrary } from "../../engine/gpu/shaders.js";
import { hashImage, type Image } from "../../engine/image.js";
import { measure } from "../../engine/measure.js";
import { operationsPerPair } from "../../engine/work.js";
import { describeHost } from "../../host/node.js";
import { openEngine } from "../engine.js";
import { Failure } from "../failure.js";
import { count, numeric, parseSize, positive } from "../flags.js";
import { resizeImage } from "./resize.js";
import { table } from "./table.js";

/** Where the benchmark runs: a checkout, or a bare folder that `npm run bench:bundle` wrote. */
export interface BenchSite {
  readLibrary(): Promise<ShaderLibrary>;
  /** Loads a picture; the site's own if `path` is absent. */
  loadImage(path: string | undefined): Promise<{ name: string; image: Image }>;
  versions: Record<string, string>;
  commit: string | undefined;
}

interface BenchOptions {
  pipelines?: string;
  blobs?: string;
  steps?: string;
  seconds: string;
  tile?: string;
  gaussiansPerBlock?: string;
  size?: string;
  json?: boolean;
  quiet?: boolean;
}

/** Blobs by default where a CPU computes: the preset's number would take minutes a step. */
const fewBlobs = 2000;

export function benchCommand(site: BenchSite): Command {
  return new Command("bench")
    .description("time pipelines side by side, in one process")
    .argument("[image]", "the picture to learn; one of the gallery if absent")
    .option("--pipelines <names>", `which ones, of ${allowedNames("pipeline").join(",")}; all by default`)
    .option("--blobs <n>", `number of blobs; the preset's on a GPU, ${fewBlobs} on a CPU`)
    .option("--steps <n>", "training steps of each pipeline that are measured, after a warm-up")
    .option("--seconds <s>", "without --steps: how long each pipeline is measured, about", "5")
    .option("--tile <WxH>", "tile size in pixels")
    .option("--gaussians-per-block <k>", "capacity of the short-list in workgroup memory")
    .option("--size <WxH>", "crop and scale the picture to this size")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr")
    .action((path: string | undefined, options: BenchOptions) => bench(site, path, options));
}

async function bench(site: BenchSite, path: string | undefined, options: BenchOptions): Promise<void> {
  const names = pipelineNames(options.pipelines);
  const steps = options.steps === undefined ? undefined : count("steps", numeric(options.steps));
  const seconds = positive("seconds", numeric(options.seconds));
  const common = {
    blobs: options.blobs === undefined ? undefined : numeric(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock === undefined ? undefined : numeric(options.gaussiansPerBlock),
  };
  for (const pipeline of names) completeConfig({ ...common, pipeline });
  const size = options.size === undefined ? undefined : parseSize(options.size);
  const { name, image: loaded } = await site.loadImage(path);
  const image = size ? resizeImage(loaded, size) : loaded;

  const gpuName = names.find((pipeline) => pipeline !== "cpu");
  const engine = gpuName && (await openEngine(gpuName, site.readLibrary));
  try {
    const slow = !engine || engine.isSoftware || engine.fallback !== undefined;
    if (slow) common.blobs ??= fewBlobs;
    const measured = engine?.fallback === undefined ? names : names.filter((pipeline) => pipeline === "cpu");
    if (engine?.fallback !== undefined) {
      if (options.pipelines !== undefined)
        throw new Failure(`${engine.fallback} Only --pipelines cpu can be measured.`);
      process.stderr.write(`${engine.fallback} Only the CPU engine is measured.\n`);
    }
    const backendOf = (pipeline: PipelineName) => (pipeline === "cpu" || !engine ? cpuBackend : engine.backend);
    const configs = measured.map((pipeline) => completeConfig({ ...common, pipeline }));
    for (const config of configs) backendOf(config.pipeline).check(config, image);
    const note = options.quiet ? () => {} : (progress: string) => process.stderr.write(`${progress}\n`);
    const onGpu = engine && engine.fallback === undefined ? engine.backend : undefined;
    if (onGpu) note("the adapter's peak: measuring");
    const peak = await onGpu?.measurePeak?.();
    const measurements = await measure(configs, image, backendOf, { steps, seconds }, peak, note);
    const { pipeline: _, ...config } = configs[0];
    const result: BenchResult = {
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      ...(onGpu && { adapter: onGpu.description }),
      ...(peak && { peak }),
      operationsPerPair,
      image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
      config,
      measurements,
    };
    process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : table(result));
  } finally {
    engine?.close();
  }
}

function pipelineNames(list: string | undefined): PipelineName[] {
  const names = list === undefined ? allowedNames("pipeline") : list.split(",").map((name) => name.trim());
  try {
    return [...new Set(names)].map((pipeline) => completeConfig({ pipeline }).pipeline);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError("pipelines", error.value, error.allowed);
    throw error;
  }
}
