import assert from "node:assert/strict";
import { it } from "vitest";
import { evenlySpacedIndices } from "../../src/engine/evenlySpaced.js";

it("evenlySpacedIndices() returns all indices if there are few, otherwise evenly spaced ones", () => {
  assert.deepEqual([...evenlySpacedIndices(3, 5)], [0, 1, 2]);
  assert.deepEqual([...evenlySpacedIndices(10, 4)], [0, 2, 5, 7]);
});
