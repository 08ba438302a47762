import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { logTicks } from "../../../src/components/runs/logAxis.js";

describe("logTicks()", () => {
  it("gives powers of ten over many decades, and twice and five times these over few", () => {
    assert.deepEqual(logTicks(1, 1e4), [1, 10, 100, 1000, 10000]);
    assert.deepEqual(logTicks(1, 30), [1, 2, 5, 10, 20]);
  });

  it("gives two at least where the ends are not much apart", () => {
    assert.deepEqual(logTicks(5.5, 9.5), [6, 7, 8, 9]);
    assert.deepEqual(logTicks(1.4, 2.1), [1.5, 2]);
  });
});
