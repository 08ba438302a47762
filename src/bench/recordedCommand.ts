import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { completeConfig, type TrainConfig } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import type { Image } from "../engine/image/image.js";
import { median } from "../engine/medians.js";
import type { Backend } from "../engine/pipeline.js";
import { filmSteps, frameSize } from "../engine/training/film.js";
import { Trainer } from "../engine/training/trainer.js";
import { openEngine } from "../host/node/engine.js";
import { defaultRecordEvery } from "../runs/recordEvery.js";
import { Failure } from "../terminal/failure.js";
import { checkCount, checkPath, optionalCount } from "../terminal/flags.js";
import { benchOrigin, imageOrigin } from "./origin.js";
import { loadResized } from "./resize.js";
import type { BenchSite } from "./site.js";

interface RecordedOptions {
  json?: string;
  blobs?: string;
  steps: string;
  size: string;
}

/** Rounds of each variant. The first one compiles the kernels and does not count. */
const rounds = 4;

type TimeRun = (config: TrainConfig, image: Image, backend: Backend) => Promise<number>;

/** Each variant returns the milliseconds of all steps of a run. */
const variants: Record<"plain" | "rows" | "recorded", TimeRun> = {
  plain: timePlain,
  /** Records metrics, but no film. */
  rows: (config, image, backend) => timeRecorded(config, image, backend, []),
  recorded: (config, image, backend) => timeRecorded(config, image, backend, filmSteps),
};
type VariantName = keyof typeof variants;

/**
 * Returns a command that measures the cost of recording a run as `splatbook fit` does: with metrics and film, with metrics
 * only, and without either, alternately in one process. Encoding and writing files is not included.
 */
export function recordedCommand(site: BenchSite): Command {
  return new Command("recorded")
    .description("time the steps of a run with and without the recording that fit does")
    .argument("[image]", "the image to learn")
    .option("--json <file>", "file for the result")
    .option("--blobs <n>", "number of blobs (default: that of the preset)")
    .option("--steps <n>", "training steps of a run", "10000")
    .option("--size <WxH>", "crop and scale the image to this size", "512x512")
    .action((path: string | undefined, options: RecordedOptions) => measureVariants(site, path, options));
}

async function measureVariants(site: BenchSite, path: string | undefined, options: RecordedOptions): Promise<void> {
  const out = options.json === undefined ? undefined : checkPath(options.json);
  const steps = checkCount("steps", parseNumber(options.steps));
  const blobs = optionalCount("blobs", options.blobs);
  const { name, image } = await loadResized(site, path, options.size);
  const config = completeConfig({ pipeline: "binned", steps, blobs });
  const engine = await openEngine("binned", site.readLibrary);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const times: Record<VariantName, number[]> = { plain: [], rows: [], recorded: [] };
    for (let round = 0; round < rounds; round++) {
      for (const name of Object.keys(variants) as VariantName[]) {
        const perStep = (await variants[name](config, image, engine.backend)) / steps;
        process.stderr.write(`${name}, round ${round + 1} of ${rounds}: ${perStep.toPrecision(4)} ms per step\n`);
        if (round > 0) times[name].push(perStep);
      }
    }
    const ratioOf = (name: VariantName) => median(times[name]) / median(times.plain);
    const ratio = ratioOf("recorded");
    const result = {
      ...benchOrigin(site),
      adapter: engine.backend.description,
      image: await imageOrigin(name, image),
      config,
      recordEvery: defaultRecordEvery(config),
      ...times,
      ratio,
    };
    if (out !== undefined) await writeFile(out, `${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(
      `${config.blobs} blobs, ${steps} steps: recording takes ${ratio.toFixed(3)} times as long, ${ratioOf("rows").toFixed(3)} times without the film\n`,
    );
  } finally {
    engine.close();
  }
}

async function timePlain(config: TrainConfig, image: Image, backend: Backend): Promise<number> {
  const pipeline = await backend.open(config, image);
  try {
    const start = performance.now();
    await pipeline.advance(config.steps);
    return performance.now() - start;
  } finally {
    await pipeline.free();
  }
}

/** @param film steps after which a frame is rendered */
async function timeRecorded(
  config: TrainConfig,
  image: Image,
  backend: Backend,
  film: readonly number[],
): Promise<number> {
  const trainer = new Trainer(config, image, backend);
  const release = trainer.retain();
  try {
    // Opens the pipeline before the clock starts, as timePlain does.
    await trainer.render(frameSize(image));
    const start = performance.now();
    const snapshotOptions = { recordEvery: defaultRecordEvery(config), inspectAt: film, interval: 250 };
    for await (const { step } of trainer.run(snapshotOptions)) {
      if (film.includes(step)) await trainer.render(frameSize(image));
    }
    return performance.now() - start;
  } finally {
    await release();
  }
}
