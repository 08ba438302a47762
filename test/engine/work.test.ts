import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { operationsPerPair, pairWork, shareOfPeak, stageWork } from "../../src/engine/work.js";

describe("the work of a pair", () => {
  it("is the sum of its parts", () => {
    const sum = (side: "forward" | "backward") => pairWork.reduce((total, work) => total + work[side], 0);
    assert.deepEqual(operationsPerPair, { forward: sum("forward"), backward: sum("backward") });
  });

  it("is a share of the peak: two operations a multiply-add", () => {
    const { forward, backward } = operationsPerPair;
    assert.equal(shareOfPeak(1e9, ((forward + backward) / 2) * 1e9), 1);
  });

  it("makes up what the stages that blend compute", () => {
    const { rasterize, rasterizeBackward } = stageWork({
      blobs: 10,
      pixels: 1280,
      entries: 100,
      blended: 5000,
      tilePixels: 128,
    });
    const { forward, backward } = operationsPerPair;
    assert.deepEqual([rasterize.operations, rasterizeBackward.operations], [5000 * forward, 5000 * backward]);
  });
});
