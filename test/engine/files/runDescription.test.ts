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
    ["another version", '{"version": 3}', "run.json must be of a format version between 1 and 2 (got 3)."],
    [
      "a run without an image",
      JSON.stringify({ version: 1, ...description, image: undefined }),
      "run.json cannot be used: image must be an object (got nothing).",
    ],
    [
      "a config with an unknown field",
      JSON.stringify({ version: 1, ...description, config: { ...defaults, blob: 3 } }),
      `The config in run.json cannot be used: config must be made of the fields ${Object.keys(defaults).join(", ")} (got "blob"; did you mean blobs?).`,
    ],
  ];
  const films = "a list of whole numbers of at least 0, each above the previous one";
  const { image, timings } = description;
  const broken: [what: string, fields: object, expected: string][] = [
    ["half a step", { step: 1.5 }, "step must be a whole number of at least 0 (got 1.5)"],
    ["a text for a number", { recordEvery: "10" }, 'recordEvery must be a whole number of at least 0 (got "10")'],
    // It would keep a resumed run from ending.
    [
      "gradients after every 0 steps",
      { recordGradientsEvery: 0 },
      "recordGradientsEvery must be a whole number of at least 1 (got 0)",
    ],
    ["no hash", { image: { ...image, hash: undefined } }, "image.hash must be a text (got nothing)"],
    [
      "no date",
      { timings: { ...timings, finishedAt: "now" } },
      'timings.finishedAt must be a date as ISO 8601 (got "now")',
    ],
    ["a film with a step twice", { film: [10, 10] }, `film must be ${films} (got [10,10])`],
    [
      "another goal",
      { goal: { kind: "joy", value: 1, reached: true } },
      'goal.kind must be one of psnr, seconds, bitsPerPixel (got "joy")',
    ],
    [
      "half an attempt",
      { attempts: [{ blobs: 3, psnr: null }] },
      "attempts[0].bitsPerPixel must be a number (got nothing)",
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
    'The image of run.json must be at most 67,108,864 pixels, such as 8192x8192 (got "100000x100000").',
  ]);
  it("is refused in one sentence if a field is wrong", () => {
    for (const [what, text, message] of refusals) assert.throws(() => readRunDescription(text), { message }, what);
  });
});
