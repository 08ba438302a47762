import assert from "node:assert/strict";
import { it } from "vitest";
import { evenlySpacedIndices } from "../../src/engine/evenlySpaced.js";

it("evenChoice() takes all where they are few, and otherwise some that are evenly apart", () => {
  assert.deepEqual([...evenlySpacedIndices(3, 5)], [0, 1, 2]);
  assert.deepEqual([...evenlySpacedIndices(10, 4)], [0, 2, 5, 7]);
});
