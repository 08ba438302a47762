// `node --import tsx src/bench/raceImages.ts`: writes data/bench/race/, the render of each program after a tenth of a
// second of the first job in data/bench/realtime.json. The recorded times give the number of steps. The CPU engine takes
// them, since all programs compute the same function.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { programConfig, programOf } from "../engine/bench/realtime/programs.js";
import { iterations, type RealtimeResult } from "../engine/bench/realtime/realtimeResult.js";
import { toImage } from "../engine/image/image.js";
import { psnr } from "../engine/image/metrics.js";
import { initialState } from "../engine/training/initialState.js";
import { nodeCpu } from "../host/node/cpu.js";
import { decodeImage } from "../host/node/imageFile.js";
import { projectRoot } from "../host/node/install.js";

const milliseconds = 100;
const recorded: RealtimeResult = JSON.parse(await readFile(join(projectRoot, "data/bench/realtime.json"), "utf8"));
const { blobs, tile, gaussiansPerBlock, times } = recorded.jobs[0];
const image = await decodeImage(join(projectRoot, "data/images", recorded.image.name));
const job = { blobs, tile, gaussiansPerBlock, steps: iterations };
const config = { ...programConfig(programOf("binned"), job), pipeline: "cpu" as const };
const pipeline = await nodeCpu().open(config, image, initialState(config, image));
const folder = join(projectRoot, "data/bench/race");
await mkdir(folder, { recursive: true });
const images = [];
let step = 0;
for (const { name, median } of times.toSorted((a, b) => b.median - a.median)) {
  const steps = Math.round(milliseconds / median);
  await pipeline.advance(steps - step);
  step = steps;
  const render = await pipeline.render(image);
  const { data, width, height } = toImage(render);
  await sharp(data, { raw: { width, height, channels: 4 } })
    .webp({ quality: 80 })
    .toFile(join(folder, `${name}.webp`));
  images.push({ name, step, psnr: psnr(render, image) });
  console.error(`${name}: step ${step}, ${images.at(-1)!.psnr.toFixed(2)} dB`);
}
await pipeline.free();
await writeFile(
  join(folder, "race.json"),
  `${JSON.stringify({ seconds: milliseconds / 1000, pictures: images }, null, 2)}\n`,
);
