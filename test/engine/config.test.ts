import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type AdapterLimits,
  ConfigError,
  checkFits,
  completeConfig,
  coveringScale,
  defaults,
} from "../../src/engine/config.js";

/** WebGPU's default limits. */
const limits: AdapterLimits = {
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
};
const square = { width: 512, height: 512 };

/** Asserts that a config is refused with one sentence that names field, value and what is allowed. */
function refuses(field: string, message: RegExp, refused: () => unknown): void {
  assert.throws(refused, (error) => {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.field, field);
    assert.match(error.message, message);
    return true;
  });
}

describe("completeConfig()", () => {
  it("fills in the seeds' headline job", () => {
    assert.deepEqual(completeConfig({}), defaults);
    const { blobs, tile, gaussiansPerBlock, learningRate, covarianceScale, steps, biasCorrection } = defaults;
    const job = { blobs, tile, gaussiansPerBlock, learningRate, covarianceScale, steps, biasCorrection };
    assert.deepEqual(job, {
      blobs: 40960,
      tile: [8, 4],
      gaussiansPerBlock: 512,
      learningRate: 0.002,
      covarianceScale: 1e-4,
      steps: 10000,
      biasCorrection: "constant",
    });
  });

  it("takes its own result back unchanged, also through JSON", () => {
    const config = completeConfig({ blobs: 300, tile: "16x8", composite: "white" });
    assert.deepEqual(completeConfig(JSON.parse(JSON.stringify(config))), config);
  });

  it("takes undefined for a field that was not given", () => {
    assert.deepEqual(completeConfig({ blobs: undefined, tile: undefined }), defaults);
  });

  it("reads a tile from a word or a pair", () => {
    assert.deepEqual(completeConfig({ tile: "16x8" }).tile, [16, 8]);
    assert.deepEqual(completeConfig({ tile: "16×8" }).tile, [16, 8]);
    assert.deepEqual(completeConfig({ tile: [3, 5] }).tile, [3, 5]);
  });

  it("grows the covariance scale of few blobs through the seeds' two choices", () => {
    assert.ok(Math.abs(coveringScale(200) - 5e-3) < 1e-12);
    assert.equal(completeConfig({ blobs: 20480 }).covarianceScale, 1e-4);
    assert.equal(completeConfig({ blobs: 200, covarianceScale: 0.5 }).covarianceScale, 0.5);
    for (let blobs = 1; blobs < 20480; blobs *= 2) assert.ok(coveringScale(blobs) > coveringScale(2 * blobs));
  });

  const bad: [string, unknown, RegExp][] = [
    ["blobs", 0, /^blobs is 0, but must be a whole number from 1 to 100000000\.$/],
    ["blobs", -5, /^blobs is -5/],
    ["blobs", 1.5, /^blobs is 1\.5/],
    ["blobs", Number.NaN, /^blobs is NaN/],
    ["blobs", "300", /^blobs is "300"/],
    ["steps", Number.POSITIVE_INFINITY, /^steps is Infinity/],
    ["learningRate", 0, /^learningRate is 0, but must be a number above 0, at most 10\.$/],
    ["learningRate", Number.NaN, /^learningRate is NaN/],
    ["covarianceScale", -1, /^covarianceScale is -1/],
    ["covarianceScale", null, /^covarianceScale is null/],
    ["tile", "8", /^tile is "8", but must be a width and a height in whole pixels, such as 8x4\.$/],
    ["tile", [8, 0], /^tile is \[8,0\]/],
    ["gaussiansPerBlock", 500, /^gaussiansPerBlock is 500, but must be a power of two from 2 to 65536\.$/],
    ["pipeline", "tield", /^pipeline is "tield", but must be one of .*\(did you mean tiled\?\)\.$/],
    ["composite", "wite", /did you mean white\?/],
    ["pipeline", "zzz", /^pipeline is "zzz", but must be one of simple, tiled, binned, cpu\.$/],
    ["biasCorrection", "", /^biasCorrection is "", but must be one of constant, exact\.$/],
    ["seed", 2 ** 32, /^seed is 4294967296/],
    ["preset", "sede", /did you mean seed\?/],
  ];
  for (const [field, value, message] of bad) {
    it(`refuses ${JSON.stringify(value) ?? value} for ${field} in one sentence`, () => {
      refuses(field, message, () => completeConfig({ [field]: value }));
    });
  }

  it("names the field that an unknown one is nearest to", () => {
    refuses("config", /did you mean learningRate\?/, () => completeConfig({ learningrate: 1 } as object));
  });
});

describe("checkFits()", () => {
  it("lets the seeds' job run on WebGPU's default limits", () => {
    checkFits(defaults, square, limits);
    checkFits(completeConfig({ tile: "16x16", gaussiansPerBlock: 2048 }), square, limits);
  });

  it("names the largest tile, list, number of blobs and image that would fit", () => {
    const check = (given: object, size = square) => checkFits(completeConfig(given), size, limits);
    refuses("tile", /at most 256 pixels/, () => check({ tile: "32x16" }));
    refuses("gaussiansPerBlock", /at most 2048 with tiles of 8x4/, () => check({ gaussiansPerBlock: 4096 }));
    refuses("blobs", /at most 1864135 on this adapter/, () => check({ blobs: 4_000_000 }));
    checkFits(completeConfig({ blobs: 1864135 }), square, limits);
    refuses("image", /^image is "9000x9000", but must be at most 8388608 pixels/, () =>
      check({}, { width: 9000, height: 9000 }),
    );
  });
});
