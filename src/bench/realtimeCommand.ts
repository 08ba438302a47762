import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { measurePrograms, type ProgramJob } from "../engine/bench/realtime/measurePrograms.js";
import { programOf } from "../engine/bench/realtime/programs.js";
import { iterations, type RealtimeJob, type RealtimeResult } from "../engine/bench/realtime/realtimeResult.js";
import { duration } from "../engine/duration.js";
import { parseNumber } from "../engine/fields.js";
import { openEngine } from "../host/node/engine.js";
import { Failure } from "../terminal/failure.js";
import { checkCount, checkPath, checkPositive, optionalCount } from "../terminal/flags.js";
import { progressNote } from "./options.js";
import { benchOrigin, imageOrigin } from "./origin.js";
import { loadResized } from "./resize.js";
import type { BenchSite } from "./site.js";

/**
 * The first article's job, a job with the maximum number of blobs for caching every state in a thread, and the second
 * article's job. In the first two, a tile list has room for all blobs.
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

/** Returns the command that records data/bench/realtime.json. */
export function realtimeCommand(site: BenchSite): Command {
  return new Command("realtime")
    .description("time the programs from the simple splatter to real time, in one process")
    .argument("[image]", "the image to learn")
    .requiredOption("--json <file>", "the file to write")
    .option("--seconds <s>", "approximate time to measure each program at each job", "5")
    .option("--size <WxH>", "crop and scale the image to this size", "512x512")
    .option("--blobs <n,…>", "numbers of blobs, instead of the jobs' own")
    .option("--start <n>", "training steps before the measurement")
    .action((path: string | undefined, options: RealtimeOptions) => recordTimes(site, path, options));
}

async function recordTimes(site: BenchSite, path: string | undefined, options: RealtimeOptions): Promise<void> {
  const out = checkPath(options.json);
  const seconds = checkPositive("seconds", parseNumber(options.seconds));
  const blobCounts = options.blobs?.split(",").map((text) => checkCount("blobs", parseNumber(text)));
  const start = optionalCount("start", options.start);
  const requestedJobs = blobCounts?.map((blobs) => ({ ...jobs.find((job) => blobs <= job.blobs)!, blobs })) ?? jobs;
  const { name, image } = await loadResized(site, path, options.size);
  const shaders = await site.readLibrary();
  const engine = await openEngine("binned", async () => shaders);
  try {
    if (engine.fallback !== undefined) throw new Failure(engine.fallback);
    const measured: RealtimeJob[] = [];
    for (const job of requestedJobs) {
      measured.push(await measurePrograms(job, image, engine.backend, shaders, { seconds }, progressNote(), start));
      const result: RealtimeResult = {
        ...benchOrigin(site),
        adapter: engine.backend.description,
        image: await imageOrigin(name, image),
        jobs: measured,
      };
      // After each job, so that a failure loses none of the earlier ones.
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
