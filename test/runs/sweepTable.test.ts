import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "vitest";
import type { SweptRow } from "../../src/engine/files/sweepFile.js";
import { sweepOf, withoutResult } from "../../src/engine/sweep/sweep.js";
import { sweepTable } from "../../src/runs/sweepTable.js";
import { smallImage, splatbook, temporaryFolder } from "../cli/command.js";
import { screenAfter, useTerminal } from "../support/terminal.js";

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
        "Learning rate  Tile   PSNR (dB)     Loss  Seconds",
        "         0.01  8x4            ∞     0.00     12.0",
        "         0.01  16x16      31.76  0.00200      2.0",
        "        0.001  8x4        23.86   0.0123      1.3",
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

describe("splatbook sweep on a terminal", () => {
  it("shows the best runs so far above the progress bar, in place", async () => {
    const folder = temporaryFolder();
    const args = ["sweep", await smallImage(folder), "--pipeline", "cpu", "--blobs", "12", "--steps", "2"];
    const vary = ["--vary", "learning-rate=0.0001,0.02", "--vary", "seed=1,2,3,4"];
    const outputs: string[] = [];
    useTerminal(50, 8);
    const watch = (output: string) => void outputs.push(output);
    const { code, stdout } = await splatbook([...args, ...vary, "--out", join(folder, "sweep")], { watch });
    assert.equal(code, 0, outputs.at(-1));
    const screens = outputs.slice(-30).map(screenAfter);
    const tables = screens.filter(([head]) => /^Learning rate +Random seed +PSNR/.test(head));
    // A head, four runs, how many more, the next run and its progress bar.
    assert.ok(tables.every(({ length }) => length <= 8));
    const last = tables.findLast((lines) => /^[=-]+ step/.test(lines.at(-1)!))!;
    assert.equal(last.length, 8, last.join("\n"));
    assert.equal(last.at(-3), "3 more");
    assert.match(last.at(-2)!, /^run 8 of 8: learningRate 0\.02, seed 4; .*…$/);
    assert.equal(last.at(-2)!.length, 50);
    const ranked = last.slice(1, 5).map((line) => Number(line.trim().split(/ +/)[2]));
    assert.deepEqual(
      ranked,
      ranked.toSorted((a, b) => b - a),
    );
    assert.deepEqual(screens.at(-1), [""], "nothing is left of it");
    assert.match(stdout, /^Learning rate +Random seed +PSNR/);
  });
});
