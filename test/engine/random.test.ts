import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { uniformGenerator } from "../../src/engine/random.js";

describe("uniformGenerator()", () => {
  it("returns float32 numbers, uniform between 0 and 1", () => {
    const random = uniformGenerator(-7);
    const bins = new Array(10).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const value = random();
      assert.equal(Math.fround(value), value);
      bins[Math.floor(10 * value)]++;
    }
    for (const count of bins) assert.ok(Math.abs(count - 10_000) < 500, String(bins));
  });
});
