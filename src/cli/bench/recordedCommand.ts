import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { median } from "../../engine/medians.js";
import { hashImage, type Image } from "../../engine/picture/image.js";
import type { Backend } from "../../engine/pipeline.js";
import { filmSteps, frameSize } from "../../engine/training/film.js";
import { Trainer } from "../../engine/training/trainer.js";
import { describeHost } from "../../host/node.js";
import { openEngine } from "../engine.js";
import { Failure } from "../failure.js";
import { count, numeric, outPath, parseSize } from "../flags.js";
import { recordEveryOf } from "../recordEvery.js";
import { resizeImage } from "./resize.js";
import type { BenchSite } from "./site.js";

interface RecordedOptions {
  json?: string;
  blobs?: string;
  steps: string;
  size: string;
}

/** Turns of the two; the first of each compiles the kernels, and is left out. */
const rounds = 4;

/**
 * Measures how much longer the steps of a run take that is recorded as `splatbook fit` records it, beside the same steps
 * that nobody looks at, in turns in one process. What `fit` encodes and writes to disk is in neither.
 */
export function recordedCommand(site: BenchSite): Command {
  return new Command("recorded")
    .description("time the steps of a run that is recorded as by fit, beside steps that nobody looks at")
    .argument("[image]", "the picture to learn")
    .option("--json <file>", "a file to write besides")
    .option("--blobs <n>", "number of blobs; the preset's if absent")
    .option("--steps <n>", "training steps of a run", "10000")
    .option("--size <WxH>", "crop and scale the picture to this size", "512x512")
    .action((path: string | undefined, options: RecordedOptions) => measureBoth(site, path, options));
}

async function measureBoth(site: BenchSite, path: string | undefined, options: RecordedOptions): Promise<void> {
  const out = options.json === undefined ? undefined : outPath(options.json);
  const steps = count("steps", numeric(options.steps));
  const blobs = options.blobs === undefined ? undefined : count("blobs", numeric(options.blobs));
  const { name, image: loaded } = await site.loadImage(path);
  const image = resizeImage(loaded, parseSize(options.size));
  const config = completeConfig({ pipeline: "binned", steps, blobs });
  const engine = await openEngine("binned", site.readLibrary);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const times = { plain: [] as number[], recorded: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const plain = (await timePlain(config, image, engine.backend)) / steps;
      const recorded = (await timeRecorded(config, image, engine.backend)) / steps;
      process.stderr.write(
        `round ${round + 1} of ${rounds}: ${plain.toPrecision(4)} ms a step, recorded ${recorded.toPrecision(4)}\n`,
      );
      if (round === 0) continue;
      times.plain.push(plain);
      times.recorded.push(recorded);
    }
    const ratio = median(times.recorded) / median(times.plain);
    const result = {
      date: new Date().toISOString(),
      ...(site.commit !== undefined && { commit: site.commit }),
      versions: site.versions,
      host: describeHost(),
      adapter: engine.backend.description,
      image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
      config,
      recordEvery: recordEveryOf(config),
      ...times,
      ratio,
    };
    if (out !== undefined) await writeFile(out, `${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(
      `${config.blobs} blobs, ${steps} steps: recorded ones take ${ratio.toFixed(3)} times as long\n`,
    );
  } finally {
    engine.close();
  }
}

/** Milliseconds of all steps of a run that nobody looks at, from the blobs' start. */
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

/** The same of a run that is recorded: its rows, its film, and progress four times a second. */
async function timeRecorded(config: TrainConfig, image: Image, backend: Backend): Promise<number> {
  const trainer = new Trainer(config, image, backend);
  const release = trainer.hold();
  try {
    // Opens what trains, as the plain run's is open before its time begins.
    await trainer.render(frameSize(image));
    const start = performance.now();
    const asked = { recordEvery: recordEveryOf(config), lookAt: filmSteps, interval: 250 };
    for await (const { step } of trainer.run(asked)) {
      if (filmSteps.includes(step)) await trainer.render(frameSize(image));
    }
    return performance.now() - start;
  } finally {
    await release();
  }
}
