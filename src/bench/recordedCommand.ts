import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { completeConfig, type TrainConfig } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { median } from "../engine/medians.js";
import type { Backend } from "../engine/pipeline.js";
import { filmSteps, frameSize } from "../engine/training/film.js";
import { Trainer } from "../engine/training/trainer.js";
import { openEngine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { defaultRecordEvery } from "../runs/recordEvery.js";
import { Failure } from "../terminal/failure.js";
import { checkCount, checkPath, parseSize } from "../terminal/flags.js";
import { resizeImage } from "./resize.js";
import type { BenchSite } from "./site.js";

interface RecordedOptions {
  json?: string;
  blobs?: string;
  steps: string;
  size: string;
}

/** Turns; the first of each compiles the kernels, and is left out. */
const rounds = 4;

type TimeRun = (config: TrainConfig, image: Image, backend: Backend) => Promise<number>;

/** What takes turns, each from the blobs' start: milliseconds of all steps. */
const variants: Record<"plain" | "rows" | "recorded", TimeRun> = {
  plain: timePlain,
  /** Rows of metrics alone. */
  rows: (config, image, backend) => timeRecorded(config, image, backend, []),
  recorded: (config, image, backend) => timeRecorded(config, image, backend, filmSteps),
};
type VariantName = keyof typeof variants;

/**
 * Measures how much longer the steps of a run take that is recorded as `splatbook fit` records it, beside the same steps
 * that nobody looks at, in turns in one process: with all of it, and with the rows of metrics alone. What `fit` encodes
 * and writes to disk is in neither.
 */
export function recordedCommand(site: BenchSite): Command {
  return new Command("recorded")
    .description("time the steps of a run that is recorded as by fit, beside steps that nobody looks at")
    .argument("[image]", "the picture to learn")
    .option("--json <file>", "a file to write besides")
    .option("--blobs <n>", "number of blobs; the preset's if absent")
    .option("--steps <n>", "training steps of a run", "10000")
    .option("--size <WxH>", "crop and scale the picture to this size", "512x512")
    .action((path: string | undefined, options: RecordedOptions) => measureVariants(site, path, options));
}

async function measureVariants(site: BenchSite, path: string | undefined, options: RecordedOptions): Promise<void> {
  const out = options.json === undefined ? undefined : checkPath(options.json);
  const steps = checkCount("steps", parseNumber(options.steps));
  const blobs = options.blobs === undefined ? undefined : checkCount("blobs", parseNumber(options.blobs));
  const { name, image: loadedImage } = await site.loadImage(path);
  const image = resizeImage(loadedImage, parseSize(options.size));
  const config = completeConfig({ pipeline: "binned", steps, blobs });
  const engine = await openEngine("binned", site.readLibrary);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const times: Record<VariantName, number[]> = { plain: [], rows: [], recorded: [] };
    for (let round = 0; round < rounds; round++) {
      for (const name of Object.keys(variants) as VariantName[]) {
        const perStep = (await variants[name](config, image, engine.backend)) / steps;
        process.stderr.write(`${name}, round ${round + 1} of ${rounds}: ${perStep.toPrecision(4)} ms a step\n`);
        if (round > 0) times[name].push(perStep);
      }
    }
    const ratioOf = (name: VariantName) => median(times[name]) / median(times.plain);
    const ratio = ratioOf("recorded");
    const result = {
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      adapter: engine.backend.description,
      image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
      config,
      recordEvery: defaultRecordEvery(config),
      ...times,
      ratio,
    };
    if (out !== undefined) await writeFile(out, `${JSON.stringify(result, null, 2)}\n`);
    const resultText = `recorded ones take ${ratio.toFixed(3)} times as long, ${ratioOf("rows").toFixed(3)} without the film`;
    process.stdout.write(`${config.blobs} blobs, ${steps} steps: ${resultText}\n`);
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

/** @param film the steps behind which the picture is drawn */
async function timeRecorded(
  config: TrainConfig,
  image: Image,
  backend: Backend,
  film: readonly number[],
): Promise<number> {
  const trainer = new Trainer(config, image, backend);
  const release = trainer.retain();
  try {
    // Opens what trains, as the plain run's is open before its time begins.
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
