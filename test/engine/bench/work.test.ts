import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { operationsPerPair, shareOfPeak, stageWork } from "../../../src/engine/bench/work.js";
import { shaders } from "../../support/gpu.js";

describe("the work of a pair", () => {
  it("is 20 operations there and 43 back", () => {
    assert.deepEqual(operationsPerPair, { forward: 20, backward: 43 });
  });

  it("is a share of the peak: two operations a multiply-add", () => {
    assert.equal(shareOfPeak(1e9, 63e9), 0.5);
  });
});

describe("the work of a stage", () => {
  it("is what the design reads, writes and computes for ten blobs on ten tiles", () => {
    // Four segments and half a one a tile: nine times the states of 128 pixels.
    const states = 9 * 128 * 16;
    const step = { blobs: 10, pixels: 1280, entries: 128, blended: 5000, tilePixels: 128 };
    assert.deepEqual(stageWork(step, shaders), {
      rasterize: { operations: 100_000, bytes: 10 * 48 + 128 * 12 + 1280 * 20 + states },
      rasterizeBackward: { operations: 215_000, bytes: 10 * 48 + 128 * (12 + 48) + 1280 * 16 + states },
      updateBlobs: { operations: 2700 + 128 * 34, bytes: 128 * (48 + 12) + 10 * 316 },
      allocateLists: { operations: 0, bytes: 10 * (8 * 12 + 20) + 4 * 12 },
      fillLists: { operations: 0, bytes: 128 * 24 + 10 * 8 * 4 },
      gatherLists: {
        operations: 128 * 4 * 25,
        bytes: (10 * 10) / 4 + 10 * 48 + 128 * 12 + 10 * 16 + 4 * 12,
      },
      sortLists: { operations: 128 * 4 * 25, bytes: 10 * 48 + 128 * (12 + 12) + 10 * 8 * 8 },
    });
  });
});
