import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { gradientNorms, tileListStatistics } from "../../src/engine/statistics.js";

describe("gradientNorms()", () => {
  it("returns the norm of a group's gradient over its parameters and all blobs", () => {
    // Two blobs, one parameter per line.
    const gradients = [
      [1, -4],
      [2, 2],
      [0, 3],
      [4, 0],
      [-5, 12],
      [1, 1],
      [1, 1],
      [4, -4],
      [0.6, 0.8],
    ].flat();
    const norms = gradientNorms(gradients);
    assert.deepEqual(norms, { center: 5, variance: 5, correlation: 13, color: 6, opacity: 1 });
  });
});

describe("tileListStatistics()", () => {
  it("returns mean and maximum of the list lengths, the most passes, and the number of overflowing lists", () => {
    const lengths = Uint32Array.of(3, 150, 0, 70, 65);
    const passes = Uint32Array.of(1, 3, 0, 2, 1);
    const { mean, ...rest } = tileListStatistics({ size: [8, 4], across: 5, down: 1, lengths, passes });
    assert.ok(Math.abs(mean - 57.6) < 1e-9);
    assert.deepEqual(rest, { longest: 150, overflowing: 2, passes: 3 });
  });

  it("returns zeros without lists", () => {
    const none = new Uint32Array();
    const statistics = tileListStatistics({ size: [8, 4], across: 0, down: 0, lengths: none, passes: none });
    assert.deepEqual(statistics, { mean: 0, longest: 0, overflowing: 0, passes: 0 });
  });
});
