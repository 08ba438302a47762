import { Command } from "commander";
import type { BenchResult } from "../../engine/benchResult.js";
import { allowedNames, ConfigError, completeConfig, type PipelineName } from "../../engine/config.js";
import type { ShaderLibrary } from "../../engine/gpu/shaders.js";
import { hashImage, type Image } from "../../engine/image.js";
import { describeHost } from "../../host/node.js";
import { nodeCpu } from "../../host/nodeCpu.js";
import { openEngine } from "../engine.js";
import { Failure } from "../failure.js";
import { count, numeric, parseSize } from "../flags.js";
import { measure } from "./measure.js";
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
  steps: string;
  tile?: string;
  gaussiansPerBlock?: string;
  size?: string;
  workers?: string;
  json?: boolean;
  quiet?: boolean;
}

const mostRounds = 10;
/** Blobs by default where a CPU computes: the preset's number would take minutes a step. */
const fewBlobs = 2000;

export function benchCommand(site: BenchSite): Command {
  return new Command("bench")
    .description("time pipelines side by side, in one process")
    .argument("[image]", "the picture to learn; one of the gallery if absent")
    .option("--pipelines <names>", `which ones, of ${allowedNames("pipeline").join(",")}; all by default`)
    .option("--blobs <n>", `number of blobs; the preset's on a GPU, ${fewBlobs} on a CPU`)
    .option("--steps <n>", "measured training steps of each pipeline, after a warm-up", "100")
    .option("--tile <WxH>", "tile size in pixels")
    .option("--gaussians-per-block <k>", "capacity of the short-list in workgroup memory")
    .option("--size <WxH>", "crop and scale the picture to this size")
    .option("--workers <n>", "threads of the cpu pipeline; one a core by default")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "no progress on stderr")
    .action((path: string | undefined, options: BenchOptions) => bench(site, path, options));
}

async function bench(site: BenchSite, path: string | undefined, options: BenchOptions): Promise<void> {
  const names = pipelineNames(options.pipelines);
  const steps = count("steps", numeric(options.steps));
  const common = {
    blobs: options.blobs === undefined ? undefined : numeric(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock === undefined ? undefined : numeric(options.gaussiansPerBlock),
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
      if (options.pipelines !== undefined)
        throw new Failure(`${engine.fallback} Only --pipelines cpu can be measured.`);
      process.stderr.write(`${engine.fallback} Only the CPU engine is measured.\n`);
    }
    const cpu = nodeCpu(workers);
    const backendOf = (pipeline: PipelineName) => (pipeline === "cpu" || !engine ? cpu : engine.backend);
    const configs = measured.map((pipeline) => completeConfig({ ...common, steps, pipeline }));
    for (const config of configs) backendOf(config.pipeline).check(config, image);
    const rounds = Math.min(mostRounds, steps);
    const note = options.quiet ? () => {} : (progress: string) => process.stderr.write(`${progress}\n`);
    const plan = { rounds, stepsPerRound: Math.round(steps / rounds) };
    const measurements = await measure(configs, image, backendOf, plan, note);
    const { pipeline: _, ...config } = configs[0];
    const result: BenchResult = {
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      ...(engine && engine.fallback === undefined && { adapter: engine.backend.description }),
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
