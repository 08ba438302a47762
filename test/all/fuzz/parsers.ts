import { readFileSync } from "node:fs";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { Command } from "commander";
import fc from "fast-check";
import { deflateRaw } from "pako";
import sharp from "sharp";
import { renderCommand } from "../../../src/cli/commands.js";
import { fitCommand } from "../../../src/cli/fitCommand.js";
import { type FitOptions, jobOf } from "../../../src/cli/fitOptions.js";
import { sweepCommand } from "../../../src/cli/sweepCommand.js";
import { type SweepOptions, sweepJobOf } from "../../../src/cli/sweepOptions.js";
import { editsFromHash, editsToHash } from "../../../src/components/cells/linkedEdits.js";
import { readSweepLink } from "../../../src/components/sweep/sweepLink.js";
import { readLink } from "../../../src/components/training/link.js";
import { concat } from "../../../src/engine/concat.js";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import {
  gradientsFile,
  metricsFile,
  optimizerFile,
  parametersFile,
  readGradients,
  readMetrics,
  readOptimizer,
  readParameters,
} from "../../../src/engine/files/arrow.js";
import { arrowFile } from "../../../src/engine/files/arrowFile.js";
import { readConfigFile } from "../../../src/engine/files/configFile.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { ByteWriter } from "../../../src/engine/files/splat2d/bytes.js";
import { crc32 } from "../../../src/engine/files/splat2d/crc32.js";
import { packHead } from "../../../src/engine/files/splat2d/head.js";
import { quantizationSteps } from "../../../src/engine/files/splat2d/precision.js";
import type { Layout } from "../../../src/engine/files/splat2d/quantize.js";
import { decodeSplat2d, encodeSplat2d } from "../../../src/engine/files/splat2d/splat2d.js";
import { readSweepFile, sweepFile } from "../../../src/engine/files/sweepFile.js";
import { maxPixels } from "../../../src/engine/image/image.js";
import { plannedRuns, sweepOf } from "../../../src/engine/sweep/sweep.js";
import { formatOf, sizeInHeader } from "../../../src/host/imageHeader.js";
import { decodeImageBytes } from "../../../src/host/node/imageFile.js";
import { parseSweepJson } from "../../../src/runs/sweepJob.js";
import { parseSize } from "../../../src/terminal/flags.js";
import { failureOf } from "../../../src/terminal/run.js";
import { directScene, scene } from "../../support/scenes.js";
import { damagedBytes, damagedJson, damagedText } from "./damage.js";

/** A reader of untrusted data, which returns what it read or throws an error of one sentence, with its inputs. */
interface Parser<Input> {
  inputs: fc.Arbitrary<Input>;
  read(input: Input): unknown;
}

const parser = <Input>(inputs: fc.Arbitrary<Input>, read: (input: Input) => unknown) =>
  ({ inputs, read }) as Parser<unknown>;

const dataFile = (path: string) => new Uint8Array(readFileSync(`data/${path}`));
const runs = ["astronaut-5000-quality", "astronaut-quality", "astronaut-seed"];
const described = runs.map((run) => JSON.parse(readFileSync(`data/runs/${run}/run.json`, "utf8")));

// Images

const small = (width = 24, height = 16) =>
  sharp(dataFile("images/astronaut.png")).resize(width, height, { fit: "fill" });
const grey = small(9, 7).greyscale();
const images = await Promise.all(
  [
    small().png(),
    small(17, 9).png({ progressive: true }),
    small().ensureAlpha(0.5).toColourspace("rgb16").png(),
    grey.clone().png(),
    small().jpeg({ progressive: true, chromaSubsampling: "4:4:4" }),
    small().withMetadata({ orientation: 6 }).jpeg(),
    small().webp({ lossless: true }),
    small().ensureAlpha(0.5).webp(),
  ].map(async (image) => new Uint8Array(await image.toBuffer())),
);

/** Returns a PNG file with correct checksums. */
function mendPng(bytes: Uint8Array): Uint8Array {
  if (formatOf(bytes) !== "png") return bytes;
  const mended = bytes.slice();
  const view = new DataView(mended.buffer);
  for (let at = 8; at + 12 <= mended.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > mended.length) break;
    view.setUint32(end, crc32(mended.subarray(at + 4, end)));
    at = end + 4;
  }
  return mended;
}

function pixelsOf(bytes: Uint8Array): number {
  const { width = 0, height = 0 } = sizeInHeader(bytes) ?? {};
  return width * height;
}

/** Selects all small images and a few large ones, which take long to decode. */
const isCheap = (bytes: Uint8Array) =>
  pixelsOf(bytes) < 2 ** 18 || pixelsOf(bytes) > maxPixels || crc32(bytes) % 256 === 0;
const damagedImages = damagedBytes(images, mendPng);

// Tables

const jobs = [scene({ blobs: 3 }), directScene({ blobs: 4 })];
const tables = jobs.flatMap(({ config, image, state }) => {
  const records = [1, 2].map((step) => ({ step, gradients: state.parameters }));
  const gradientNorms = { center: 1, variance: 2, correlation: 3, color: 4, opacity: 5 };
  const tileLists = { mean: 1.5, longest: 2, overflowing: 0, passes: 1 };
  const rows = [1, 2].map((step) => ({ step, seconds: step, loss: 0.5, psnr: 20, gradientNorms, tileLists }));
  return [
    parametersFile(config, image, state),
    optimizerFile(config, state),
    gradientsFile(config, records),
    metricsFile(config, rows),
  ];
});
const sweep = sweepOf({ steps: 5 }, { learningRate: "0.01,0.1", tile: "8x4,4x4" });
const swept = plannedRuns(sweep).map(({ values, name }) => ({
  values,
  run: name,
  status: "done" as const,
  sentence: "",
  loss: 0.5,
  psnr: 20,
  seconds: 1,
  stepsPerSecond: 5,
  step: 5,
}));
const words = tableToIPC(tableFromArrays({ word: ["x", "y", "x"], y: Float32Array.of(1, 2, 3) }), "file");
const validTables = [
  ...tables,
  sweepFile({ sweep, image: { name: "a.png", width: 3, height: 2 }, rows: swept }),
  words,
];

/** Tables with valid columns and damaged metadata. */
const describedTables = damagedJson(described.map(({ config }) => config)).map((splatbook) => {
  const names = ["loss", "psnr", "seconds", "steps_per_second"];
  const columns = Object.fromEntries(names.map((name) => [name, Float64Array.of(1, 2)]));
  const texts = Object.fromEntries(["status", "run", "sentence", "config"].map((name) => [name, ["a", "b"]]));
  const counts = { blobs: Uint32Array.of(1, 2), step: Uint32Array.of(1, 2) };
  const metadata = { splatbook, splatbook_format: "1", quality: splatbook, step: "5" };
  return arrowFile({ ...counts, ...columns, ...texts }, metadata);
});
const damagedTables = fc.oneof(
  { weight: 4, arbitrary: damagedBytes(validTables) },
  { weight: 1, arbitrary: describedTables },
);

const table = (read: (bytes: Uint8Array) => unknown) => parser(damagedTables, read);

// .splat2d

const splats = [scene({ blobs: 12 }), directScene({ blobs: 12 }), directScene({ blobs: 7, blend: "over" })].map(
  ({ config, image, state }) => encodeSplat2d(config, image, state.parameters),
);

/** Returns a .splat2d file with correct length and checksum. */
function mendSplat2d(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 16) return bytes;
  const mended = bytes.slice();
  const view = new DataView(mended.buffer);
  view.setUint32(8, mended.length, true);
  view.setUint32(12, crc32(mended.subarray(16)), true);
  return mended;
}

/** Heads, some with too many blobs. */
const layouts = jobs.flatMap(({ config, image: { width, height } }) =>
  [config.blobs, 1000, 1e6, 1e8].map((blobs) => ({
    size: { width, height },
    steps: quantizationSteps(config),
    config: { ...config, blobs },
  })),
);

/** Columns of numbers, some of them with a high compression ratio. */
const deflated = [21, 27, 28, 36, 9000, 2 ** 20, 2 ** 24].map((length) => deflateRaw(new Uint8Array(length)));

/** Files with correct checksums and damaged heads. */
const builtSplats = fc.tuple(damagedJson(layouts), fc.constantFrom(...deflated)).map(([layout, highs]) => {
  const head = headOf(layout);
  const writer = new ByteWriter();
  writer.count(head.length);
  for (const value of head) writer.byte(value);
  for (let column = 0; column < 9; column++) for (const value of [0, 0]) writer.byte(value);
  writer.count(highs.length);
  return mendSplat2d(concat([splats[0].subarray(0, 16), writer.bytes(), highs]));
});

function headOf(layout: string): Uint8Array {
  try {
    return packHead(JSON.parse(layout) as Layout);
  } catch {
    return packHead({ size: {}, steps: {}, config: {} } as Layout);
  }
}

// Options and links

const fields = Object.keys(completeConfig({})) as (keyof TrainConfig)[];
const typed = damagedText(
  fc.oneof(
    fc.constantFrom("8", "0.01", "1e-3", "8x4", "16×16", "0.001..0.1x5", "100..500+5", "1,2,3", "quality", "over"),
    fc.constantFrom("cpu", "Infinity", "-0", "0x10", "1e999", "100000000", "", " ", "__proto__", "640x480"),
    fc.double().map(String),
  ),
);
const varied = fc
  .tuple(fc.constantFrom(...fields, "learning-rate", "x"), typed)
  .map(([field, values]) => `${field}=${values}`);

/** Returns a command that only reads its options. */
const reading = <Options>(command: Command, read: (path: string, options: Options) => unknown) =>
  command.configureOutput({ writeOut() {} }).action(async (path, options) => {
    await read(path, options);
  });
const line = new Command("splatbook")
  .configureOutput({ writeOut() {} })
  .addCommand(reading(fitCommand(), (_, options: FitOptions) => jobOf(undefined, options)))
  .addCommand(reading(sweepCommand(), (path, options: SweepOptions) => sweepJobOf(path, options)))
  .addCommand(reading(renderCommand(), (_, { size = "1x1" }: { size?: string }) => parseSize(size)));
const argumentsOf = fc.oneof(
  ...line.commands.map((command) => {
    const known = command.options
      .map(({ long }) => long ?? "")
      .filter((long) => !["--resume", "--help"].includes(long));
    const flag = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...known), typed) },
      { weight: 2, arbitrary: fc.tuple(fc.constant("--vary"), damagedText(varied)) },
      { weight: 1, arbitrary: fc.tuple(damagedText(fc.constantFrom(...known)), fc.string()) },
    );
    return fc.array(flag, { maxLength: 6 }).map((flags) => [command.name(), "nothing.png", ...flags.flat()]);
  }),
);

async function readLine(words: string[]): Promise<void> {
  const failure = await failureOf(line, ["node", "splatbook", ...words]);
  if (failure) throw failure;
}

const names = fc.oneof(fc.constantFrom(...fields, "picture", "size", "engine", "own", "vary"), fc.string());
const entries = fc.array(fc.tuple(names, fc.oneof(typed, varied)), { maxLength: 6 });
const query = damagedText(entries.map((entries) => `?${new URLSearchParams(entries)}`));

const cells = {
  edits: { cell1: "const a = 1;\n", cell2: "display(a)" },
  added: [{ id: "added-1", after: "cell1", language: "js", source: "a + 1" }],
};
const hash = (text: string) =>
  `#cells=${Buffer.from(deflateRaw(new TextEncoder().encode(text))).toString("base64url")}`;
const hashes = fc.oneof(
  { weight: 8, arbitrary: damagedText(fc.constant(editsToHash(cells as never))) },
  { weight: 8, arbitrary: damagedJson([cells]).map(hash) },
  // High compression ratios; few, since they are expensive to generate.
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000 }).map((length) => hash(" ".repeat(length))) },
);

const sweepPlan = {
  image: "a.png",
  config: { steps: 5 },
  vary: { learningRate: [0.01, 0.1], tile: "8x4,4x4" },
  recordEvery: 2,
};

/** All readers of untrusted data, by name. */
export const parsers: Record<string, Parser<unknown>> = {
  "image headers": parser(damagedImages, sizeInHeader),
  images: parser(damagedImages.filter(isCheap), (bytes) => decodeImageBytes(bytes, "x")),
  "parameters.arrow": table(readParameters),
  "optimizer.arrow": table(readOptimizer),
  "gradients.arrow": table(readGradients),
  "metrics.arrow": table(readMetrics),
  "sweep.arrow": table(readSweepFile),
  "run.json": parser(fc.oneof(damagedJson(described), damagedText(damagedJson(described))), readRunDescription),
  "config.json": parser(damagedJson(described), (text) => completeConfig(readConfigFile(text, "x.json").config)),
  "sweep plans": parser(damagedJson([sweepPlan]), (text) => plannedRuns(parseSweepJson(text, "x.json").sweep)),
  ".splat2d": parser(
    fc.oneof({ weight: 5, arbitrary: damagedBytes(splats, mendSplat2d) }, { weight: 1, arbitrary: builtSplats }),
    (bytes) => decodeSplat2d(bytes),
  ),
  options: parser(argumentsOf, readLine),
  "links to the lab": parser(query, (search) => completeConfig(readLink(search).config)),
  "links to sweeps": parser(query, (search) => {
    const { config, vary } = readSweepLink(search, "cpu");
    const swept = Object.fromEntries(vary.map(({ field, values }) => [field, values]));
    return plannedRuns(sweepOf(config, swept));
  }),
  "cells in links": parser(hashes, editsFromHash),
};
