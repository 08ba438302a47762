// Part of `npm run bench:record`: writes data/bench/realtime.json, the times of the programs of the chapter realtime.md, and
// data/bench/race/, the render of each program after a tenth of a second of the first job.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benchImage, benchOrigin, loadImage } from "../src/bench/images.js";
import { countEvaluatedPairs } from "../src/components/learn/realtime/evaluatedPairs.js";
import {
  openProgram,
  programOf,
  type RealtimeJob,
  type RealtimeResult,
} from "../src/components/learn/realtime/programs.js";
import { completeConfig } from "../src/engine/config.js";
import { toImage } from "../src/engine/image/image.js";
import { psnr } from "../src/engine/image/metrics.js";
import { openEngine } from "../src/host/node/engine.js";
import { encodeWebp } from "../src/host/node/imageFile.js";
import { projectRoot } from "../src/host/node/install.js";
import { readLibrary } from "../src/host/node/project.js";
import { timePrograms } from "../src/learn/realtime.js";

/** The articles' jobs, and between them one with the most blobs of which a thread can cache the states. */
const jobs = [
  { blobs: 200, gaussiansPerBlock: 256 },
  { blobs: 512, gaussiansPerBlock: 512 },
  { blobs: 40_960, gaussiansPerBlock: 512 },
].map((job) => ({ ...job, tile: [8, 4] as [number, number], startStep: 500 }));
const raceSeconds = 0.1;
const options = { note: console.error, show: () => {}, invalidation: new Promise(() => {}), seconds: 5 };

const folder = join(projectRoot, "data", "bench");
const writeJson = (name: string, value: object) => writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);

const { backend, fallback, close } = await openEngine("binned");
if (fallback !== undefined) throw new Error(fallback);
const shaders = await readLibrary();
const loaded = await loadImage(join(projectRoot, "data", "images", "astronaut.png"));
const { image } = loaded;
const open = ({ startStep: _, ...job }: (typeof jobs)[number]) =>
  openProgram(programOf("binned"), job, image, backend, shaders);

const measured: RealtimeJob[] = [];
for (const job of jobs) {
  const times = await timePrograms({ shaders, backend: () => backend }, job, image, options);
  const pipeline = await open(job);
  await pipeline.advance(job.startStep);
  const { parameters } = await pipeline.state();
  await pipeline.free();
  const { startStep: _, ...settings } = job;
  measured.push({
    ...job,
    width: image.width,
    height: image.height,
    pairs: countEvaluatedPairs(completeConfig({ ...settings, pipeline: "tiled" }), parameters, image),
    times: times.map(({ name, rounds, milliseconds }) => ({ name, rounds, median: milliseconds })),
  });
}
const origin = { ...benchOrigin(backend.description), image: await benchImage(loaded) };
await writeJson("realtime.json", { ...origin, jobs: measured } satisfies RealtimeResult);

// All programs compute the same function, so the fastest takes the steps of each.
await mkdir(join(folder, "race"), { recursive: true });
const pipeline = await open(jobs[0]);
const pictures: { name: string; step: number; psnr: number }[] = [];
for (const { name, median } of measured[0].times.toSorted((a, b) => b.median - a.median)) {
  await pipeline.advance(Math.round((1000 * raceSeconds) / median) - pipeline.step);
  const render = await pipeline.render(image);
  await writeFile(join(folder, "race", `${name}.webp`), await encodeWebp(toImage(render)));
  pictures.push({ name, step: pipeline.step, psnr: psnr(render, image) });
}
await pipeline.free();
await writeJson(join("race", "race.json"), { seconds: raceSeconds, pictures });
close();
