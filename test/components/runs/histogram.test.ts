import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { histogram, quantileRange } from "../../../src/components/runs/histogram.js";

describe("histogram()", () => {
  it("counts every value once: in a bin, below the axis or above it", () => {
    const { bins, below, above } = histogram([-1, 0, 0.5, 0.99, 1, 1, 3, Number.NaN], [0, 1], 2);
    assert.deepEqual(bins, [
      { low: 0, high: 0.5, fraction: 1 / 8 },
      { low: 0.5, high: 1, fraction: 4 / 8 },
    ]);
    assert.deepEqual([below, above], [2 / 8, 1 / 8]);
  });

  it("has bins of equal ratio on a logarithmic axis, with zero below it", () => {
    const { bins, below } = histogram([0, 0.01, 0.2, 2, 30], [0.01, 100], 4, true);
    assert.deepEqual(
      bins.map(({ fraction }) => fraction),
      [1, 1, 1, 1].map((n) => n / 5),
    );
    assert.ok(Math.abs(bins[1].low - 0.1) < 1e-12 && Math.abs(bins[3].high - 100) < 1e-9);
    assert.equal(below, 1 / 5);
  });
});

it("quantileRange() omits as many values at each end, and returns undefined without values", () => {
  const values = Float32Array.from({ length: 101 }, (_, i) => i);
  assert.deepEqual(quantileRange([values], 0.1), [5, 95]);
  assert.deepEqual(quantileRange([values, Float32Array.of(Number.NaN)], 0), [0, 100]);
  assert.equal(quantileRange([new Float32Array()], 0.1), undefined);
});
