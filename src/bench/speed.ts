import { type BenchResult, measure } from "../engine/bench/measure.js";
import { scalingFile } from "../engine/bench/scaling.js";
import { completeConfig, type PipelineName } from "../engine/config.js";
import { fields, parseNumber } from "../engine/fields.js";
import { nodeCpu } from "../host/node/cpu.js";
import { openEngine } from "../host/node/engine.js";
import { readLibrary } from "../host/node/project.js";
import { checkWritable, writeFile } from "../runs/staging.js";
import { Failure, usageFailure } from "../terminal/failure.js";
import { checkPath, checkPositive, optionalCount, parseSize } from "../terminal/flags.js";
import { showLine } from "../terminal/progress.js";
import {
  type BenchOptions,
  benchImage,
  benchOrigin,
  galleryPaths,
  loadImage,
  noteOf,
  parsePipelines,
  print,
} from "./options.js";
import { measureScaling } from "./scaling.js";
import { scalingTable, speedTable } from "./table.js";

/** Number of blobs on a CPU, where the preset's number would take minutes per step. */
const cpuBlobs = 2000;

/** Runs `splatbook bench` without --quality. */
export async function benchSpeed(paths: string[], options: BenchOptions): Promise<void> {
  const { scaling, steps: stepsText, out, json } = options;
  if (paths.length > 1) throw usageFailure(`bench takes one image without --quality (got ${paths.length}).`);
  if (options.rows !== undefined) throw usageFailure("--rows needs --quality.");
  if (scaling && out === undefined) throw usageFailure("--scaling needs --out, the Arrow file to write.");
  if (scaling && stepsText !== undefined) throw usageFailure("--scaling takes --seconds instead of --steps.");
  if (!scaling && out !== undefined) throw usageFailure("--out needs --scaling or --quality; --json prints to stdout.");
  const pipelines = parsePipelines(options.pipelines ?? (scaling ? "tiled,binned" : fields.pipeline.choices.join()));
  const steps = optionalCount("steps", stepsText);
  const seconds = checkPositive("seconds", parseNumber(options.seconds ?? (scaling ? "1" : "5")));
  const job = {
    blobs: options.blobs === undefined ? undefined : parseNumber(options.blobs),
    tile: options.tile,
    gaussiansPerBlock: options.gaussiansPerBlock && parseNumber(options.gaussiansPerBlock),
  };
  for (const pipeline of pipelines) completeConfig({ ...job, pipeline });
  const size = options.size === undefined ? undefined : parseSize(options.size);
  const cpu = nodeCpu(optionalCount("workers", options.workers));
  const path = paths[0] ?? (await galleryPaths()).find((name) => name.endsWith("astronaut.png"))!;
  const loaded = await loadImage(path, scaling ? undefined : size);

  const engine = await openEngine(pipelines.find((name) => name !== "cpu") ?? "cpu", readLibrary);
  try {
    const { backend, fallback, isSoftware } = engine;
    if (fallback !== undefined) {
      if (options.pipelines !== undefined || scaling) throw new Failure(`${fallback} Use --pipelines cpu.`);
      showLine(`${fallback} Only the CPU engine is measured.`);
    }
    const measured = pipelines.filter((name) => name === "cpu" || fallback === undefined);
    const usesGpu = measured.some((name) => name !== "cpu");
    if (!usesGpu || isSoftware) job.blobs ??= cpuBlobs;
    const configs = measured.map((pipeline) => completeConfig({ ...job, pipeline }));
    const backendOf = (name: PipelineName) => (name === "cpu" ? cpu : backend);
    const origin = { ...benchOrigin(usesGpu ? backend.description : undefined), image: await benchImage(loaded) };
    const note = noteOf(options);
    if (scaling) {
      const file = checkPath(out!);
      await checkWritable(file);
      const baseSize = size ?? { width: 512, height: 512 };
      const rows = await measureScaling(configs, loaded.image, baseSize, backendOf, seconds, async (rows) => {
        await writeFile(file, scalingFile({ ...origin, rows }));
        const { pipeline, blobs, width, refusal, median } = rows.at(-1)!;
        note(`${pipeline}, ${blobs} blobs, ${width} pixels wide: ${refusal || `${median.toPrecision(4)} ms per step`}`);
      });
      print({ ...origin, rows }, scalingTable, json);
    } else {
      for (const config of configs) backendOf(config.pipeline).check(config, loaded.image);
      const plan = { steps, seconds };
      const measurements = await measure(configs, loaded.image, backendOf, plan, note);
      const { pipeline: _, ...config } = configs[0];
      print({ ...origin, config, measurements } satisfies BenchResult, speedTable, json);
    }
  } finally {
    engine.close();
  }
}
