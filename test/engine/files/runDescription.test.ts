import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { defaults } from "../../../src/engine/config.js";
import { readRunDescription, writeRunDescription } from "../../../src/engine/files/runDescription.js";

const description = {
  config: defaults,
  image: { name: "small.png", width: 24, height: 16, hash: "00ff" },
  step: 40,
  recordEvery: 10,
  host: "a host",
  adapter: "CPU",
  versions: { splatbook: "0.1.0" },
  timings: { finishedAt: "2026-01-01T00:00:00.000Z", seconds: 1.5, stepsPerSecond: 26.7 },
  result: { loss: 0.25, psnr: 10.8 },
};

describe("run.json", () => {
  it("reads back unchanged, with the format version", () => {
    const begun = { ...description, step: 0, recordEvery: 0, film: [0, 7, 40] };
    for (const written of [description, begun]) {
      assert.deepEqual(readRunDescription(writeRunDescription(written)), { version: 2, ...written });
    }
  });

  it("accepts null for infinity, and fields of later versions", () => {
    const exact = { ...description, result: { loss: 0, psnr: null }, more: { of: "it" } };
    const read = readRunDescription(JSON.stringify({ version: 1, ...exact }));
    assert.deepEqual(read, { version: 2, ...exact });
  });

  it("of version 1 ignores the list capacity in pipelines that had none, so that runs keep their bits", () => {
    const read = (pipeline: string) => {
      const config = { ...description.config, pipeline, gaussiansPerBlock: 512 };
      return readRunDescription(JSON.stringify({ ...description, version: 1, config })).config.gaussiansPerBlock;
    };
    assert.deepEqual(["binned", "simple", "tiled", "cpu"].map(read), ["auto", "auto", 512, 512]);
  });

  const refusals: [what: string, text: string, message: string][] = [
    ["text that is not JSON", "{", "run.json is not JSON."],
    ["a value that is not an object", "null", "run.json does not describe a run."],
    ["another version", '{"version": 3}', "run.json is of format version 3, but this splatbook reads versions 1 to 2."],
    [
      "a run without an image",
      JSON.stringify({ version: 1, ...description, image: undefined }),
      "run.json cannot be used: image is absent, but must be an object.",
    ],
    [
      "a config with an unknown field",
      JSON.stringify({ version: 1, ...description, config: { ...defaults, blob: 3 } }),
      `The config in run.json cannot be used: config is "blob", but must be made of the fields ${Object.keys(defaults).join(", ")} (did you mean blobs?).`,
    ],
  ];
  const films = "a list of whole numbers from 0, each above the one before";
  const { image, timings, result } = description;
  const broken: [what: string, fields: object, expected: string][] = [
    ["half a step", { step: 1.5 }, "step is 1.5, but must be a whole number from 0"],
    ["a negative step", { step: -1 }, "step is -1, but must be a whole number from 0"],
    ["a text for a number", { recordEvery: "10" }, 'recordEvery is "10", but must be a whole number from 0'],
    // Either would keep a resumed run from ending.
    [
      "gradients after every 0 steps",
      { recordGradientsEvery: 0 },
      "recordGradientsEvery is 0, but must be a whole number from 1",
    ],
    [
      "gradients after every x steps",
      { recordGradientsEvery: "x" },
      'recordGradientsEvery is "x", but must be a whole number from 1',
    ],
    ["no hash", { image: { ...image, hash: undefined } }, "image.hash is absent, but must be a text"],
    ["no width", { image: { ...image, width: 0 } }, "image.width is 0, but must be a whole number from 1"],
    [
      "no seconds",
      { timings: { ...timings, seconds: undefined } },
      "timings.seconds is absent, but must be a number from 0",
    ],
    [
      "no date",
      { timings: { ...timings, finishedAt: "now" } },
      'timings.finishedAt is "now", but must be a date as ISO 8601',
    ],
    [
      "stages that take texts",
      { timings: { ...timings, stageTimes: { a: "1" } } },
      'timings.stageTimes.a is "1", but must be a number',
    ],
    ["a film that is not a list", { film: 3 }, `film is 3, but must be ${films}`],
    ["a film with half a step", { film: [1.5] }, `film is [1.5], but must be ${films}`],
    ["a film with a step twice", { film: [10, 10] }, `film is [10,10], but must be ${films}`],
    ["no adapter", { adapter: undefined }, "adapter is absent, but must be a text"],
    ["versions in a list", { versions: ["1"] }, 'versions is ["1"], but must be an object'],
    ["no result", { result: undefined }, "result is absent, but must be an object"],
    ["a loss in letters", { result: { ...result, loss: "low" } }, 'result.loss is "low", but must be a number'],
    [
      "another goal",
      { goal: { kind: "joy", value: 1, reached: true } },
      'goal.kind is "joy", but must be one of psnr, seconds, bitsPerPixel',
    ],
    [
      "half an attempt",
      { attempts: [{ blobs: 3, psnr: null }] },
      "attempts[0].bitsPerPixel is absent, but must be a number",
    ],
  ];
  for (const [what, fields, expected] of broken) {
    refusals.push([
      what,
      JSON.stringify({ version: 1, ...description, ...fields }),
      `run.json cannot be used: ${expected}.`,
    ]);
  }
  const huge = { ...image, width: 100_000, height: 100_000 };
  refusals.push([
    "an image with too many pixels",
    JSON.stringify({ version: 1, ...description, image: huge }),
    "The image of run.json has 100000x100000 pixels, but at most 67108864 can be read, 8192x8192 for example.",
  ]);
  for (const [what, text, message] of refusals) {
    it(`refuses ${what}`, () => assert.throws(() => readRunDescription(text), { message }));
  }
});
