import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { axisRange } from "../../../src/components/runs/axisRange.js";

describe("axisRange()", () => {
  it("ends at the smallest and the largest finite number", () => {
    assert.deepEqual(axisRange([8, Number.NaN, 31.5, Number.POSITIVE_INFINITY, 12], 1), [8, 31.5]);
  });

  it("gives one number, or none, an axis of the minimum length", () => {
    assert.deepEqual(axisRange([7.75], 1), [7.25, 8.25]);
    assert.deepEqual(axisRange([], 1), [0, 1]);
  });
});
