import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { SweptRow } from "../../src/engine/files/sweepFile.js";
import { sweepOf, withoutResult } from "../../src/engine/sweep/sweep.js";
import { sweepTable } from "../../src/runs/sweepTable.js";

const sweep = sweepOf({}, { learningRate: [0.001, 0.01], tile: ["8x4", "16x16"] });
const measured = { status: "done", sentence: "", stepsPerSecond: 1, step: 9, run: "a" } as const;
const rows: SweptRow[] = [
  { ...measured, values: [0.001, "8x4"], loss: 0.0123456, psnr: 23.856, seconds: 1.26 },
  { ...measured, values: [0.01, "8x4"], loss: 0, psnr: Number.POSITIVE_INFINITY, seconds: 12 },
  { ...withoutResult("refused", "Why."), run: "", values: [0.001, "16x16"] },
  { ...measured, values: [0.01, "16x16"], loss: 0.002, psnr: 31.76, seconds: 2 },
];

describe("sweepTable()", () => {
  it("ranks the finished runs, best first", () => {
    assert.equal(
      sweepTable(sweep, rows),
      [
        "Run  Learning rate   Tile  PSNR (dB)     Loss  Seconds",
        "1             0.01    8x4          ∞     0.00     12.0",
        "2             0.01  16x16      31.76  0.00200      2.0",
        "3            0.001    8x4      23.86   0.0123      1.3",
      ].join("\n"),
    );
  });

  it("leaves out a setting with one value, and all but the best 20 runs", () => {
    const many = Array.from({ length: 23 }, (_, i) => ({ ...rows[0], values: [0.001 * (i + 1), "8x4"], psnr: i }));
    const lines = sweepTable(sweep, many).split("\n");
    assert.doesNotMatch(lines[0], /Tile/);
    assert.deepEqual([lines.length, lines.at(-1)], [22, "3 more"]);
    assert.match(lines[1], /22\.00/);
  });
});
