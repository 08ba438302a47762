import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  ConfigError,
  checkBuffers,
  checkWorkgroup,
  completeConfig,
  coveringScale,
  defaults,
  type TrainConfig,
} from "../../src/engine/config.js";
import { limits } from "../support/limits.js";

const square = { width: 512, height: 512 };

/** Asserts that a config is refused by an error that names the field, its value and what is allowed. */
function refuses(field: string, message: RegExp, refused: () => unknown): void {
  assert.throws(refused, (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.field, field);
    assert.match(error.message, message);
    return true;
  });
}

describe("completeConfig()", () => {
  it("fills in the original Slang sample's headline job", () => {
    assert.deepEqual(completeConfig({}), defaults);
    const { preset, blobs, pipeline, tile, learningRate, covarianceScale } = defaults;
    assert.deepEqual([preset, blobs, pipeline, tile], ["baseline", 40960, "binned", [8, 4]]);
    assert.deepEqual([learningRate, covarianceScale], [0.002, 1e-4]);
  });

  it("returns its own result unchanged, even through JSON", () => {
    const config = completeConfig({ blobs: 300, tile: "16x8", background: "white" });
    assert.deepEqual(completeConfig(JSON.parse(JSON.stringify(config))), config);
  });

  it("fills in the values of a preset", () => {
    const { preset, blend, parameterization, blobs, seed } = completeConfig({ preset: "quality", seed: 5, blobs: 77 });
    assert.deepEqual([preset, blend, parameterization, blobs, seed], ["quality", "over", "direct", 77, 5]);
  });

  it("reads a tile from a text or a pair", () => {
    assert.deepEqual(completeConfig({ tile: "16x8" }).tile, [16, 8]);
    assert.deepEqual(completeConfig({ tile: "16×8" }).tile, [16, 8]);
    assert.deepEqual(completeConfig({ tile: [3, 5] }).tile, [3, 5]);
  });

  it("increases the covariance scale for few blobs, through the two values of the original Slang sample", () => {
    assert.ok(Math.abs(coveringScale(200) - 5e-3) < 1e-12);
    assert.equal(completeConfig({ blobs: 20480 }).covarianceScale, 1e-4);
    assert.equal(completeConfig({ blobs: 200, covarianceScale: 0.5 }).covarianceScale, 0.5);
    for (let blobs = 1; blobs < 20480; blobs *= 2) assert.ok(coveringScale(blobs) > coveringScale(2 * blobs));
  });

  const bad: [string, unknown, RegExp][] = [
    ["blobs", 0, /^blobs must be a whole number of at least 1 \(got 0\)\.$/],
    ["blobs", Number.NaN, /^blobs must be .* \(got NaN\)\.$/],
    ["blobs", "300", /^blobs must be .* \(got "300"\)\.$/],
    ["learningRate", 0, /^learningRate must be a number above 0 and at most 10 \(got 0\)\.$/],
    ["covarianceScale", null, /^covarianceScale must be .* \(got null\)\.$/],
    ["tile", "8", /^tile must be a width and a height in whole pixels, such as 8x4 \(got "8"\)\.$/],
    ["tile", [8, 0], /^tile must be between 1 and 1,024 pixels wide and high \(got \[8,0\]\)\.$/],
    [
      "gaussiansPerBlock",
      500,
      /^gaussiansPerBlock must be auto, or a power of two between 2 and 65,536 \(got 500\)\.$/,
    ],
    ["pipeline", "tield", /^pipeline must be one of .* \(got "tield"; did you mean tiled\?\)\.$/],
    ["seed", 2 ** 32, /^seed must be .* \(got 4294967296\)\.$/],
    ["preset", "finest", /^preset must be one of baseline, quality \(got "finest"\)\.$/],
    ["finalRate", 0, /^finalRate must be a number above 0 and at most 1 \(got 0\)\.$/],
  ];
  it("refuses a wrong value in one sentence", () => {
    for (const [field, value, message] of bad) refuses(field, message, () => completeConfig({ [field]: value }));
  });

  const bounds: [field: string, lowest: unknown, highest: unknown, beyond: unknown[]][] = [
    ["blobs", 1, 1e300, [0, 1.5, Number.POSITIVE_INFINITY]],
    ["steps", 1, 1e9, [0, 1e9 + 1]],
    ["learningRate", 1e-9, 10, [0, 10.1]],
    ["centerRate", 0, 1e6, [-1e-9, 1e6 + 1]],
    ["varianceRate", 0, 1e6, [-1e-9, 1e6 + 1]],
    ["correlationRate", 0, 1e6, [-1e-9, 1e6 + 1]],
    ["colorRate", 0, 1e6, [-1e-9, 1e6 + 1]],
    ["opacityRate", 0, 1e6, [-1e-9, 1e6 + 1]],
    ["finalRate", 1e-9, 1, [0, 1.01]],
    ["growUntil", 0, 1, [-1e-9, 1.01]],
    ["plateau", 0, 100, [-1e-9, 100.1]],
    ["tile", [1, 1], [1024, 1024], [[0, 8], [8, 1025], [8], [8, 4, 2]]],
    ["gaussiansPerBlock", 2, 65536, [1, 131072]],
    ["covarianceScale", 1e-9, 10, [0, 10.1]],
    ["seed", -(2 ** 31), 2 ** 32 - 1, [-(2 ** 31) - 1, 2 ** 32]],
  ];
  it("accepts each field's lowest and highest value, and nothing beyond", () => {
    for (const [field, lowest, highest, beyond] of bounds) {
      for (const value of [lowest, highest]) {
        // The tiled pipeline has the smallest list capacity.
        assert.deepEqual(completeConfig({ pipeline: "tiled", [field]: value })[field as keyof TrainConfig], value);
      }
      for (const value of beyond) refuses(field, /must be/, () => completeConfig({ [field]: value }));
    }
    const densified = { parameterization: "direct", growEvery: 1e9, startShare: 1e-9 };
    assert.deepEqual([completeConfig(densified).growEvery, completeConfig(densified).startShare], [1e9, 1e-9]);
    refuses("growEvery", /must be/, () => completeConfig({ ...densified, growEvery: 1e9 + 1 }));
  });

  const together: [string, object, string][] = [
    [
      "a sum with the original background",
      { blend: "sum" },
      'background must be white or black with blend sum, which leaves no transmittance (got "original").',
    ],
    [
      "smoothstep blobs placed by gradient",
      { initializer: "gradient" },
      'initializer must be uniform unless parameterization is direct (got "gradient").',
    ],
    [
      "density control of smoothstep blobs",
      { growEvery: 100, startShare: 0.5 },
      "growEvery must be 0 unless parameterization is direct (got 100).",
    ],
    [
      "blobs that never become active",
      { parameterization: "direct", startShare: 0.5 },
      "startShare must be 1 if growEvery is 0, since no blob would be added (got 0.5).",
    ],
  ];
  for (const [what, overrides, message] of together) {
    it(`refuses ${what}, in one sentence`, () => {
      const field = message.slice(0, message.indexOf(" "));
      refuses(field, new RegExp(`^${message.replace(/[.()]/g, "\\$&")}$`), () => completeConfig(overrides));
      // Compatible values are accepted.
      completeConfig({ ...overrides, background: "black", parameterization: "direct", growEvery: 100 });
    });
  }

  it("refuses unknown fields, also properties of every object, and suggests the closest name", () => {
    refuses("config", /^config must be .* \(got "toString"\)\.$/, () => completeConfig({ toString: 1 } as object));
    refuses("config", /did you mean learningRate\?/, () => completeConfig({ learningrate: 1 } as object));
  });
});

describe("checkWorkgroup() and checkBuffers()", () => {
  const check = (overrides: object, size = square, most = limits) => {
    checkWorkgroup(completeConfig(overrides), most);
    checkBuffers(completeConfig(overrides), size, most);
  };

  it("accept the default job on WebGPU's default limits", () => {
    check({});
    for (const tile of ["16x16", "1x256", "256x1"]) check({ tile, pipeline: "tiled", gaussiansPerBlock: 2048 });
  });

  it("refuse a tile that is too wide or too high, even if it has few pixels", () => {
    const flat = { ...limits, maxComputeWorkgroupSizeX: 64, maxComputeWorkgroupSizeY: 32 };
    for (const tile of ["64x2", "2x32"]) check({ tile }, square, flat);
    for (const tile of ["65x2", "2x33"]) refuses("tile", /64 wide and 32 high/, () => check({ tile }, square, flat));
  });

  it("name the largest tile, list, number of blobs and image that would fit", () => {
    refuses("tile", /at most 256 pixels/, () => check({ tile: "32x16" }));
    const block = (pipeline: string, gaussiansPerBlock: number) => check({ pipeline, gaussiansPerBlock });
    refuses("gaussiansPerBlock", /at most 2,048 with tiles of 8x4/, () => block("tiled", 4096));
    block("simple", 4096);
    block("binned", 65536);
    refuses("blobs", /at most 3,728,270 on this adapter/, () => check({ blobs: 4_000_000 }));
    check({ blobs: 3728270 });
    refuses(
      "image",
      /^image must be at most 8,388,608 pixels on this adapter, such as 2896x2896 \(got "9000x9000"\)\.$/,
      () => check({ pipeline: "tiled" }, { width: 9000, height: 9000 }),
    );
    // Renders are drawn in bands; only the target needs one buffer.
    refuses(
      "image",
      /^image must be at most 33,554,432 pixels on this adapter, such as 5792x5792 \(got "9000x9000"\)\.$/,
      () => check({ pipeline: "binned" }, { width: 9000, height: 9000 }),
    );
  });
});
