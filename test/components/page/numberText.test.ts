import assert from "node:assert/strict";
import { it } from "vitest";
import { alignNumbers } from "../../../src/components/figures/formats.js";
import { countText } from "../../../src/components/page/numberText.js";

it("countText() gives each tick a different text, whole or not", () => {
  assert.deepEqual([0, 0.5, 1, 1.5, 2, 10_000].map(countText), ["0", "0.5", "1", "1.5", "2", "10,000"]);
});

it("alignNumbers() right-aligns columns of only numbers with units, or dashes", () => {
  const rows = [
    { pipeline: "tiled", time: "8.2 ms", gain: "+0.3", share: "–", note: "2 of them" },
    { pipeline: "binned", time: "192 µs", gain: "−0.1", share: "3.6 %", note: "none" },
  ];
  assert.deepEqual(alignNumbers(rows), { time: "right", gain: "right", share: "right" });
  assert.deepEqual(alignNumbers([]), {});
});
