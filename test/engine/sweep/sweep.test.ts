import assert from "node:assert/strict";
import { tableFromIPC } from "apache-arrow";
import { describe, it } from "vitest";
import { ConfigError, completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { arrowFile } from "../../../src/engine/files/arrowFile.js";
import { readSweepFile, type SweptRow, sweepFile } from "../../../src/engine/files/sweepFile.js";
import { maxRuns, plannedRuns, sweepOf, withoutResult } from "../../../src/engine/sweep/sweep.js";
import { parseValues } from "../../../src/engine/sweep/sweptValues.js";

describe("parseValues()", () => {
  it("reads numbers, names and tiles, in order and each once", () => {
    assert.deepEqual(parseValues("learningRate", "0.01, 1e-3,0.010"), [0.01, 0.001]);
    assert.deepEqual(parseValues("blend", "sum,over"), ["sum", "over"]);
    assert.deepEqual(parseValues("tile", "16x8, 8 × 4"), ["16x8", "8x4"]);
  });

  it("spaces a range evenly or by equal factors between the typed ends", () => {
    assert.deepEqual(parseValues("learningRate", "0.001..0.1x5"), [0.001, 0.00316, 0.01, 0.0316, 0.1]);
    assert.deepEqual(parseValues("gaussiansPerBlock", "64..512x4"), [64, 128, 256, 512]);
    assert.deepEqual(parseValues("steps", "100..500+5,1000"), [100, 200, 300, 400, 500, 1000]);
    assert.deepEqual(parseValues("seed", "-2..2+3"), [-2, 0, 2]);
    assert.deepEqual(parseValues("seed", "3..9+2"), [3, 9]);
    assert.equal(parseValues("seed", "1..1000+1000").length, 1000);
  });

  it("refuses invalid values and ranges, and names the field", () => {
    const range = "a range of 2 to 1,000 values, such as 1..100x5 or 1..5+5";
    const positive = "a range between numbers above 0, or with + instead of x";
    const refused: [field: keyof TrainConfig, text: string, allowed: string, got?: string][] = [
      ["blobs", "100,many", "a whole number of at least 1", '"many"'],
      ["blobs", "", "a whole number of at least 1"],
      ["learningRate", "0..1x3", positive],
      ["learningRate", "1..2", range],
      ["seed", "one..3+3", range],
      ["seed", "1..1001+1001", range],
      ["gaussiansPerBlock", "auto,64", "a number in a sweep", '"auto"'],
      ["gaussiansPerBlock", "64..128x3", "auto, or a power of two between 2 and 65,536", "91"],
      ["blend", "ove", "one of over, sum", '"ove"; did you mean over?'],
    ];
    for (const [field, text, allowed, got = `"${text}"`] of refused) {
      const message = `${field} must be ${allowed} (got ${got}).`;
      assert.throws(() => parseValues(field, text), { name: "ConfigError", field, message });
    }
  });
});

describe("sweepOf()", () => {
  it("refuses an invalid sweep, and names what is wrong", () => {
    for (const [config, vary, message] of [
      [{}, {}, /^vary must be one to 8 fields, with their values \(got ""\)\.$/],
      [{}, { bobs: [1] }, /\(got "bobs"; did you mean blobs\?\)\.$/],
      [{ blobs: 5 }, { blobs: [1, 2] }, /^vary must be a field that has no value already \(got "blobs"\)\.$/],
      [{}, { blobs: 5 }, /^blobs must be a list of values \(got 5\)\.$/],
      [{}, { blobs: "1..25+25", seed: "1..41+41" }, /^vary must be at most 1,024 runs \(got 1025\)\.$/],
    ] as const) {
      assert.throws(
        () => sweepOf(config, vary),
        (error) => error instanceof ConfigError && message.test(error.message),
      );
    }
    assert.equal(plannedRuns(sweepOf({ steps: undefined }, { blobs: "1..32+32", seed: "1..32+32" })).length, maxRuns);
  });
});

describe("plannedRuns()", () => {
  it("returns runs in row order, with complete configs", () => {
    const runs = plannedRuns(sweepOf({ steps: 7 }, { tile: "8x4,16x8", blobs: [100, 50000] }));
    assert.deepEqual(
      runs.map(({ name }) => name),
      ["tile-8x4_blobs-100", "tile-8x4_blobs-50000", "tile-16x8_blobs-100", "tile-16x8_blobs-50000"],
    );
    // The covariance scale follows the number of blobs.
    assert.deepEqual(runs[2].config, completeConfig({ steps: 7, tile: [16, 8], blobs: 100 }));
  });

  it("keeps invalid combinations with the reason", () => {
    const runs = plannedRuns(sweepOf({}, { blend: "over,sum", background: "original,black" }), {
      check: ({ blend, background }) => {
        if (blend === "over" && background === "black") throw new ConfigError("blend", blend, "another here");
      },
    });
    assert.deepEqual(
      runs.map(({ config, refusal }) => (config ? "valid" : refusal)),
      [
        "valid",
        'blend must be another here (got "over").',
        'background must be white or black with blend sum, which leaves no transmittance (got "original").',
        "valid",
      ],
    );
  });

  it("gives runs of the quality preset the image's number of blobs, unless they have one", () => {
    const runs = plannedRuns(sweepOf({}, { preset: "baseline,quality" }), { blobs: 321 });
    assert.deepEqual(
      runs.map(({ config }) => config?.blobs),
      [40960, 321],
    );
    const [, explicit] = plannedRuns(sweepOf({ blobs: 5 }, { preset: "baseline,quality" }), { blobs: 321 });
    assert.equal(explicit.config?.blobs, 5);
  });
});

describe("sweep.arrow", () => {
  const sweep = sweepOf({ steps: 5, tile: "8x8" }, { learningRate: [0.1, 0.3], blobs: [7, 9] });
  const image = { name: "cup.png", width: 32, height: 24 };
  const done = { status: "done", sentence: "", loss: 0.1, psnr: 14.7, seconds: 1 / 3, stepsPerSecond: 15 } as const;
  const rows: SweptRow[] = [
    { values: [0.1, 7], run: "learningRate-0p1_blobs-7", ...done, step: 5 },
    { values: [0.1, 9], run: "", ...withoutResult("refused", "blobs must be 7 (got 9 × 10⁻³).") },
    { values: [0.3, 7], run: "x", ...done, status: "stopped", psnr: Number.POSITIVE_INFINITY, step: 4 },
  ];
  const bytes = sweepFile({ sweep, image, rows });

  it("has a typed column for each swept field, then the results", () => {
    const table = tableFromIPC(bytes);
    assert.deepEqual(
      table.schema.fields.map(({ name, type }) => `${name} ${type}`),
      [
        "learning_rate Float64",
        "blobs Uint32",
        ...["loss", "psnr", "seconds", "steps_per_second"].map((name) => `${name} Float64`),
        "step Uint32",
        ...["status", "run", "sentence"].map((name) => `${name} Utf8`),
      ],
    );
    assert.deepEqual(JSON.parse(table.schema.metadata.get("splatbook") ?? ""), {
      image,
      config: { steps: 5, tile: "8x8" },
      vary: { learningRate: [0.1, 0.3], blobs: [7, 9] },
    });
  });

  it("reads back unchanged, even without rows, and with texts as values", () => {
    assert.deepEqual(readSweepFile(bytes), { sweep, image, rows });
    const empty = { sweep: sweepOf({}, { tile: "8x4", seed: [-1] }), image, rows: [] };
    assert.deepEqual(readSweepFile(sweepFile(empty)), empty);
    const row = { values: ["8x4", -1], run: "", ...withoutResult("failed", "It failed.") };
    assert.deepEqual(readSweepFile(sweepFile({ ...empty, rows: [row] })).rows, [row]);
  });

  it("refuses other files with one sentence", () => {
    assert.throws(() => readSweepFile(bytes.subarray(0, 100)), /^Error: sweep\.arrow is not a complete Arrow file\.$/);
    const other = (metadata: object) => arrowFile({ seed: Uint32Array.of(1) }, { ...metadata });
    const foreign = { message: "sweep.arrow does not hold a sweep of splatbook." };
    assert.throws(() => readSweepFile(other({})), foreign);
    const described = { image, config: {}, vary: { seed: [1] } };
    for (const splatbook of ["{}", "null", "{"]) assert.throws(() => readSweepFile(other({ splatbook })), foreign);
    const random = other({ splatbook: JSON.stringify({ ...described, random: 3 }) });
    assert.throws(() => readSweepFile(random), /^Error: sweep\.arrow is of random combinations\. The folders/);
    const later = other({ splatbook: JSON.stringify(described), splatbook_format: "3" });
    assert.throws(
      () => readSweepFile(later),
      /^Error: sweep\.arrow must be of a format version between 1 and 2 \(got 3\)\.$/,
    );
  });
});
