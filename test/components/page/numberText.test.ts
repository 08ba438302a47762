import assert from "node:assert/strict";
import { it } from "vitest";
import { countText } from "../../../src/components/page/numberText.js";

it("countText() gives each tick a different text, whole or not", () => {
  assert.deepEqual([0, 0.5, 1, 1.5, 2, 10_000].map(countText), ["0", "0.5", "1", "1.5", "2", "10,000"]);
});
