import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { clippedScale, logTicks } from "../../../src/components/runs/logScale.js";

describe("logTicks()", () => {
  it("gives powers of ten over many decades, and multiples of them over few", () => {
    assert.deepEqual(logTicks(1, 1e4), [1, 10, 100, 1000, 10000]);
    assert.deepEqual(logTicks(1, 30), [1, 2, 5, 10, 20]);
  });
});

describe("clippedScale()", () => {
  it("ends at a power of ten at most nine decades below the largest value, and names it in its label", () => {
    const { domain, label, ticks } = clippedScale([1e-37, 0, Number.NaN, Number.POSITIVE_INFINITY, 1, 0.5], "norm");
    assert.deepEqual(
      domain.map((end) => Number(end.toPrecision(3))),
      [1e-8, 1.1],
    );
    assert.equal(label, "norm, cut off below 10⁻⁸");
    assert.equal(Math.min(...ticks), 1e-8);
  });

  it("is linear from 0 to 1 without positive values", () => {
    assert.deepEqual(clippedScale([0, -1, Number.NaN], "norm").domain, [0, 1]);
  });
});
