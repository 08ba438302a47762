import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { measurePrograms, type ProgramJob } from "../engine/bench/realtime/measurePrograms.js";
import { programOf } from "../engine/bench/realtime/programs.js";
import { iterations, type RealtimeJob, type RealtimeResult } from "../engine/bench/realtime/realtimeResult.js";
import { duration } from "../engine/duration.js";
import { parseNumber } from "../engine/fields.js";
import { hashImage } from "../engine/image/image.js";
import { openEngine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { Failure } from "../terminal/failure.js";
import { checkCount, checkPath, checkPositive, parseSize } from "../terminal/flags.js";
import { resizeImage } from "./resize.js";
import type { BenchSite } from "./site.js";

/**
 * The first article's job; the most blobs whose states a thread can keep all of; and the second article's job. A list
 * of the first two holds all blobs that there are.
 */
const jobs: readonly ProgramJob[] = [
  { blobs: 200, tile: [8, 4], gaussiansPerBlock: 256 },
  { blobs: 512, tile: [8, 4], gaussiansPerBlock: 512 },
  { blobs: 40_960, tile: [8, 4], gaussiansPerBlock: 512 },
];

interface RealtimeOptions {
  json: string;
  seconds: string;
  size: string;
  blobs?: string;
  start?: string;
}

/** Records data/bench/realtime.json. */
export function realtimeCommand(site: BenchSite): Command {
  return new Command("realtime")
    .description("time the programs on the way from the simple splatter to real time, in one process")
    .argument("[image]", "the picture to learn")
    .requiredOption("--json <file>", "the file to write")
    .option("--seconds <s>", "how long each program is measured at each job, about", "5")
    .option("--size <WxH>", "crop and scale the picture to this size", "512x512")
    .option("--blobs <n,…>", "in place of the jobs' own numbers of blobs")
    .option("--start <n>", "steps after which the rounds begin")
    .action((path: string | undefined, options: RealtimeOptions) => recordTimes(site, path, options));
}

async function recordTimes(site: BenchSite, path: string | undefined, options: RealtimeOptions): Promise<void> {
  const out = checkPath(options.json);
  const seconds = checkPositive("seconds", parseNumber(options.seconds));
  const blobCounts = options.blobs?.split(",").map((text) => checkCount("blobs", parseNumber(text)));
  const start = options.start === undefined ? undefined : checkCount("start", parseNumber(options.start));
  const requestedJobs = blobCounts?.map((blobs) => ({ ...jobs.find((job) => blobs <= job.blobs)!, blobs })) ?? jobs;
  const { name, image: loadedImage } = await site.loadImage(path);
  const image = resizeImage(loadedImage, parseSize(options.size));
  const shaders = await site.readLibrary();
  const engine = await openEngine("binned", async () => shaders);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const measured: RealtimeJob[] = [];
    const note = (progress: string) => process.stderr.write(`${progress}\n`);
    for (const job of requestedJobs) {
      measured.push(await measurePrograms(job, image, engine.backend, shaders, { seconds }, note, start));
      const result: RealtimeResult = {
        date: new Date().toISOString(),
        ...(site.commit !== undefined && { commit: site.commit }),
        versions: site.versions,
        host: describeHost(),
        adapter: engine.backend.description,
        image: { name, width: image.width, height: image.height, hash: await hashImage(image) },
        jobs: measured,
      };
      // After each job, so that one that fails loses none of those before it.
      await writeFile(out, `${JSON.stringify(result, null, 2)}\n`);
    }
    for (const { blobs, times } of measured) {
      for (const { name, median } of times) {
        const totalTime = duration((median * iterations) / 1000);
        process.stdout.write(`${blobs} blobs, ${programOf(name).title}: ${iterations} iterations in ${totalTime}\n`);
      }
    }
  } finally {
    engine.close();
  }
}
