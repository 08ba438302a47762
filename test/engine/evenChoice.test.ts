import assert from "node:assert/strict";
import { it } from "vitest";
import { evenChoice } from "../../src/engine/evenChoice.js";

it("evenChoice() takes all where they are few, and otherwise some that are evenly apart", () => {
  assert.deepEqual([...evenChoice(3, 5)], [0, 1, 2]);
  assert.deepEqual([...evenChoice(10, 4)], [0, 2, 5, 7]);
});
