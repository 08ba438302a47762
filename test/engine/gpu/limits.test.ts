import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, defaults } from "../../../src/engine/config.js";
import { layoutOf } from "../../../src/engine/gpu/binned/layout.js";
import { checkListsFit, tilesAtOnce } from "../../../src/engine/gpu/binned/limits.js";
import { overflowMessage } from "../../../src/engine/gpu/binned/lists.js";
import { checkOnGpu } from "../../../src/engine/gpu/checkOnGpu.js";
import { mayClamp } from "../../../src/engine/model/accumulate.js";
import { limitText } from "../../../src/engine/quoted.js";
import { limits, limitsOf } from "../../support/limits.js";

const square = (side: number) => ({ width: side, height: side });

describe("layoutOf()", () => {
  const layout = (width: number, blobs: number, more: object = {}) =>
    layoutOf(completeConfig({ blobs, ...more }), square(width));

  it("joins small tiles, and chooses longer segments for many blobs and pixels, unless GAUSSIANS_PER_BLOCK is set", () => {
    assert.deepEqual(layout(512, 200, { tile: [1, 1] }).tile, [16, 8]);
    assert.deepEqual(layout(512, 200, { tile: [16, 16] }).tile, [16, 16]);
    const lengths = [layout(512, 2 ** 17), layout(512, 2 ** 17 + 1), layout(1025, 200), layout(4097, 200)];
    assert.deepEqual(
      lengths.map(({ segmentLength }) => segmentLength),
      [32, 64, 64, 256],
    );
    assert.equal(layout(4097, 200, { gaussiansPerBlock: 32 }).segmentLength, 32);
    const message = "gaussiansPerBlock must be auto, or a power of two of at least 32 in the binned pipeline (got 16).";
    assert.throws(() => layout(512, 200, { gaussiansPerBlock: 16 }), { name: "ConfigError", message });
  });
});

describe("the limits of the binned pipeline", () => {
  const check = (blobs: number, width: number, height = width) =>
    checkListsFit(completeConfig({ blobs, pipeline: "binned" }), { width, height }, limits);

  it("accept jobs on WebGPU's default limits if their lists fit in bands", () => {
    check(2_796_202, 512);
    check(1000, 4096);
    // With a single tile, each blob has one intersection.
    check(2_796_202, 1);
  });

  it("accept 44 million blobs on 16384x16384 with buffers of 2 GiB less four bytes, and name the maximum", () => {
    const checkAll = (blobs: number) =>
      checkOnGpu(completeConfig({ blobs, pipeline: "binned" }), square(16384), limitsOf(2 ** 31 - 4));
    checkAll(44_739_242);
    const message = "blobs must be at most 44,739,242 in the binned pipeline on this adapter (got 44739243).";
    assert.throws(() => checkAll(44_739_243), { name: "ConfigError", message });
  });

  it("name the number of blobs and the width that fit with one band per row of tiles", () => {
    // First a row's slots are the limit, and with many tiles the states of all segments.
    for (const [width, height, max] of [
      [512, 8, 349525],
      [500_000, 8, 258400],
    ]) {
      const refused = new RegExp(
        `^ConfigError: blobs must be at most ${limitText(max)} in the binned .* \\(got ${max + 1}\\)`,
      );
      assert.throws(() => check(max + 1, width, height), refused);
      check(max, width, height);
    }
    const refused = /^ConfigError: image must be at most 508,400 pixels wide in the binned .* \(got "1100000x8"\)\.$/;
    assert.throws(() => check(1000, 1_100_000, 8), refused);
    check(1000, 508_400, 8);
  });

  it("name a number of blobs after too many intersections", () => {
    const start = "One row of tiles has 3000000 tile–blob intersections, but at most 1000000 fit this adapter";
    assert.equal(overflowMessage(3_000_000, 1_000_000, 600), `${start}: use about 200 blobs.`);
    assert.match(overflowMessage(2 ** 32 - 1, 2 ** 20, 2 ** 22), /4294967295 or more .*: use fewer than 1024 blobs\.$/);
  });

  it("halve the rows of tiles in a band until the lists fit", () => {
    const rowsOf = (blobs: number, side: number, bytes = 2 ** 32 - 4) => {
      const config = completeConfig({ blobs, pipeline: "binned" });
      const layout = layoutOf(config, square(side));
      return tilesAtOnce(config, square(side), layout, limitsOf(bytes), true, false) / (side / layout.tile[0]);
    };
    assert.deepEqual([rowsOf(40_000_000, 16384), rowsOf(40_000_000, 16384, 2 ** 31 - 4)], [256, 128]);
    assert.equal(rowsOf(4_000_000, 8192), 512, "all rows");
    for (const blobs of [1, 9000, 65536]) {
      const layout = layoutOf(completeConfig({ blobs }), square(16384));
      const tiles = tilesAtOnce({ blobs }, square(16384), layout, limitsOf(2 ** 32 - 4), false, true);
      assert.ok(4 * Math.ceil(blobs / 32) * tiles <= 2 ** 27 && tiles > 0, `${tiles} tiles gather ${blobs} blobs`);
    }
  });
});

it("mayClamp() is false for the original jobs and direct blobs, true for a single pixel and sums of smoothstep blobs", () => {
  assert.equal(mayClamp(defaults, square(512)), false);
  assert.equal(mayClamp(completeConfig({ blobs: 200 }), square(128)), false);
  assert.equal(mayClamp(defaults, square(1)), true);
  const direct = completeConfig({ parameterization: "direct", background: "black", blend: "sum" });
  assert.equal(mayClamp(direct, square(1)), false);
  assert.equal(mayClamp(completeConfig({ blend: "sum", background: "black" }), square(2048)), true);
});
