import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { defaults } from "../../src/engine/config.js";
import { readRunDescription, writeRunDescription } from "../../src/engine/runDescription.js";

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
  it("reads back as it was written, with the version of its format", () => {
    const begun = { ...description, step: 0, recordEvery: 0, film: [0, 7, 40] };
    for (const written of [description, begun]) {
      assert.deepEqual(readRunDescription(writeRunDescription(written)), { version: 1, ...written });
    }
  });

  const refusals: [what: string, text: string, message: string][] = [
    ["what is not JSON", "{", "run.json is not JSON."],
    ["what is no object", "null", "run.json does not describe a run."],
    ["another version", '{"version": 2}', "run.json is of format version 2, but this splatbook reads version 1."],
    [
      "what lacks the picture",
      JSON.stringify({ version: 1, ...description, image: undefined }),
      "run.json is incomplete.",
    ],
    ["what lacks the step", JSON.stringify({ version: 1, ...description, step: 1.5 }), "run.json is incomplete."],
    [
      "a config with a field that does not exist",
      JSON.stringify({ version: 1, ...description, config: { ...defaults, blob: 3 } }),
      `The config in run.json cannot be used: config is "blob", but must be made of the fields ${Object.keys(defaults).join(", ")} (did you mean blobs?).`,
    ],
  ];
  const broken = {
    "a negative step": { step: -1 },
    "what lacks the picture's hash": { image: { ...description.image, hash: undefined } },
    "what lacks the seconds": { timings: {} },
    "a film that is no list": { film: 3 },
    "a film with half a step": { film: [1.5] },
    "a film with a step twice": { film: [10, 10] },
  };
  for (const [what, fields] of Object.entries(broken)) {
    refusals.push([what, JSON.stringify({ version: 1, ...description, ...fields }), "run.json is incomplete."]);
  }
  for (const [what, text, message] of refusals) {
    it(`refuses ${what}`, () => assert.throws(() => readRunDescription(text), { message }));
  }
});
