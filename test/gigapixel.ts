// Assembles a large image from smaller ones, fits it in regions, and compares the result with some regions fitted alone:
// node --import tsx test/gigapixel.ts IMAGE... --into FOLDER --size 16384x12352 -- --blobs 1600000 --steps 4000
// The options after -- are for `splatbook fit`. Patches of the images are cropped, scaled, rotated and mirrored at random,
// so that all are different.
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Command } from "commander";
import sharp, { type Raw } from "sharp";
import { fitCommand } from "../src/cli/fitCommand.js";
import { completeConfig } from "../src/engine/config.js";
import { evenlySpacedIndices } from "../src/engine/evenlySpaced.js";
import { type RunDescription, readRunDescription } from "../src/engine/files/runDescription.js";
import type { FloatImage, Size } from "../src/engine/image/image.js";
import { lossOf, psnrOfLoss } from "../src/engine/image/metrics.js";
import type { Backend } from "../src/engine/pipeline.js";
import { uniformGenerator } from "../src/engine/random.js";
import { drawCrop } from "../src/engine/regions/draw.js";
import { areaOf, type Rect } from "../src/engine/regions/plan.js";
import { Survey } from "../src/engine/regions/survey.js";
import { Trainer } from "../src/engine/training/trainer.js";
import { openEngine } from "../src/host/node/engine.js";
import { readLibrary } from "../src/host/node/project.js";
import { StagedImage } from "../src/host/node/stagedImage.js";
import { openBlobs } from "../src/runs/blobSource.js";
import { runCommand } from "../src/terminal/run.js";

const { values, positionals } = parseArgs({
  options: {
    into: { type: "string" },
    size: { type: "string", default: "16384x12352" },
    parts: { type: "string", default: "4" },
    patch: { type: "string", default: "1000" },
  },
  args: process.argv.slice(2, untilDashes()),
  allowPositionals: true,
});
const fitOptions = process.argv.slice(untilDashes() + 1);
const folder = values.into ?? ".dev/gigapixel";
const [width, height] = values.size.split("x").map(Number);
const path = join(folder, `giga-${values.size}.tif`);
const out = join(folder, "run");

function untilDashes(): number {
  const at = process.argv.indexOf("--");
  return at < 0 ? process.argv.length : at;
}

mkdirSync(folder, { recursive: true });
if (!existsSync(path)) await timed("image assembled", () => compose(positionals, { width, height }, path));
const wall = await timed("fitted", () => fit());
const description = readRunDescription(await readFile(join(out, "run.json"), "utf8"));
const { result, regions, config, timings } = description;
const seams = regions?.seams;
// Before the regions are fitted alone, which takes long and may be interrupted.
print({
  adapter: description.adapter,
  size: values.size,
  megapixels: (width * height) / 1e6,
  regions: regions?.list.length,
  blobs: config.blobs,
  steps: config.steps,
  psnr: result.psnr,
  fileBytes: result.file?.bytes,
  filePsnr: result.file?.psnr,
  seamError: seams && seams.near / seams.elsewhere,
  wallSeconds: wall.seconds,
  trainingSeconds: timings.seconds,
  peakMemoryMebibytes: wall.peak,
});
const parts = await timed("regions fitted alone", () => compareParts(description));
print({ parts: parts.value });
process.exit();

function print(figures: object): void {
  console.log(JSON.stringify(figures, null, 2));
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ seconds: number; peak: number; value: T }> {
  const start = performance.now();
  const value = await work();
  const seconds = (performance.now() - start) / 1000;
  // Peak of the process in kibibytes.
  const peak = process.resourceUsage().maxRSS / 1024;
  process.stderr.write(`${what} in ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MiB at most\n`);
  return { seconds, peak, value };
}

async function fit(): Promise<void> {
  const begun = ["--resume", out];
  const anew = ["--preset", "quality", "--regions", "--out", out, ...fitOptions];
  const args = ["fit", path, ...(existsSync(join(out, "run.json")) ? begun : anew)];
  await runCommand(new Command("splatbook").addCommand(fitCommand()), ["node", "splatbook", ...args]);
}

/** Fits the pixels of some regions alone, with as many blobs, and returns their PSNR alone and in the run. */
async function compareParts(run: RunDescription) {
  const { list } = run.regions!;
  const engine = await openEngine(run.config.pipeline, readLibrary);
  const staged = await StagedImage.open(path, join(folder, "parts.v"));
  const source = await openBlobs(out);
  try {
    const compared: { region: number; blobs: number; pixels: number; alone: number; inRun: number }[] = [];
    const [aloneSeams, seams] = [new Survey(staged), new Survey(staged)];
    for (const i of evenlySpacedIndices(list.length, Number(values.parts))) {
      const image = await staged.crop(list[i]);
      const alone = await fitAlone(engine.backend, completeConfig({ ...run.config, blobs: list[i].blobs }), image);
      const inRun: FloatImage = await drawCrop(engine.backend, source, list[i], list[i]);
      aloneSeams.add(list[i], alone, image);
      seams.add(list[i], inRun, image);
      const loss = (drawn: FloatImage) => areaOf(list[i]) * lossOf(drawn, image);
      compared.push({
        region: i,
        blobs: list[i].blobs,
        pixels: areaOf(list[i]),
        alone: loss(alone),
        inRun: loss(inRun),
      });
    }
    const pixels = compared.reduce((sum, part) => sum + part.pixels, 0);
    const psnr = (which: "alone" | "inRun") =>
      psnrOfLoss(compared.reduce((sum, part) => sum + part[which], 0) / pixels);
    return {
      alone: psnr("alone"),
      inRun: psnr("inRun"),
      // Error in the run relative to the error alone, at the same pixels.
      errorNearSeams: seams.seams!.near / aloneSeams.seams!.near,
      errorElsewhere: seams.seams!.elsewhere / aloneSeams.seams!.elsewhere,
      each: compared.map((part) => ({
        ...part,
        alone: psnrOfLoss(part.alone / part.pixels),
        inRun: psnrOfLoss(part.inRun / part.pixels),
      })),
    };
  } finally {
    await staged.close();
    engine.close();
  }
}

async function fitAlone(backend: Backend, config: Trainer["config"], image: Trainer["image"]): Promise<FloatImage> {
  const trainer = new Trainer(config, image, backend);
  const release = trainer.retain();
  try {
    for await (const _ of trainer.run({ interval: 1000 }));
    return await trainer.render();
  } finally {
    await release();
  }
}

/** Writes a TIFF of patches. */
async function compose(paths: string[], size: Size, to: string): Promise<void> {
  const random = uniformGenerator(20);
  const pixels = Buffer.alloc(3 * size.width * size.height);
  const patches = [...patchesOf({ x: 0, y: 0, ...size }, Number(values.patch), random)];
  const put = async (patch: Rect, i: number) => {
    const bytes = await cut(paths[i % paths.length], patch, uniformGenerator(i));
    for (let y = 0; y < patch.height; y++) {
      const row = bytes.subarray(3 * y * patch.width, 3 * (y + 1) * patch.width);
      pixels.set(row, 3 * ((patch.y + y) * size.width + patch.x));
    }
  };
  const atOnce = 32;
  for (let first = 0; first < patches.length; first += atOnce) {
    await Promise.all(patches.slice(first, first + atOnce).map((patch, i) => put(patch, first + i)));
  }
  process.stderr.write(`${patches.length} patches\n`);
  // Written in strips, so that readers need not hold the whole image.
  await sharp(pixels, { raw: { ...size, channels: 3 }, limitInputPixels: false })
    .tiff({ compression: "none" })
    .toFile(to);
}

/** Divides a rectangle at random into patches with sides of at most a number of pixels. */
function* patchesOf(rect: Rect, most: number, random: () => number): Generator<Rect> {
  const { x, y, width, height } = rect;
  if (Math.max(width, height) <= most) return yield rect;
  const fraction = 0.35 + 0.3 * random();
  if (width >= height) {
    const left = Math.round(fraction * width);
    yield* patchesOf({ x, y, width: left, height }, most, random);
    yield* patchesOf({ x: x + left, y, width: width - left, height }, most, random);
  } else {
    const top = Math.round(fraction * height);
    yield* patchesOf({ x, y, width, height: top }, most, random);
    yield* patchesOf({ x, y: y + top, width, height: height - top }, most, random);
  }
}

/** Returns a patch of an image: a random rectangle, slightly enlarged, rotated by any angle, and possibly mirrored. */
async function cut(path: string, { width, height }: Size, random: () => number): Promise<Buffer> {
  const source = await sharp(path).metadata();
  const angle = 2 * Math.PI * random();
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  // The rectangle that a rotated patch covers in the image, plus two pixels for rounding.
  const [boundWidth, boundHeight] = [width * cos + height * sin + 2, width * sin + height * cos + 2];
  const fits = Math.max(boundWidth / source.width, boundHeight / source.height);
  const scale = fits * (1 + 0.25 * random());
  const [cutWidth, cutHeight] = [Math.floor(boundWidth / scale), Math.floor(boundHeight / scale)];
  const piece = await sharp(path)
    .removeAlpha()
    .toColourspace("srgb")
    .extract({
      left: Math.floor(random() * (source.width - cutWidth)),
      top: Math.floor(random() * (source.height - cutHeight)),
      width: cutWidth,
      height: cutHeight,
    })
    .resize(Math.ceil(boundWidth), Math.ceil(boundHeight), { fit: "fill", kernel: "lanczos3" })
    .flop(random() < 0.5)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const turned = await sharp(piece)
    .rotate((angle * 180) / Math.PI)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = turned;
  return sharp(data, { raw: info as Raw })
    .extract({
      left: Math.floor((info.width - width) / 2),
      top: Math.floor((info.height - height) / 2),
      width,
      height,
    })
    .raw()
    .toBuffer();
}
