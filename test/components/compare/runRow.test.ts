import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ComparedRun, RunFacts } from "../../../src/components/compare/comparedRun.js";
import { runStyles } from "../../../src/components/compare/runMarks.js";
import { resultsOf, rowOf, settingsOf } from "../../../src/components/compare/runRow.js";
import { completeConfig } from "../../../src/engine/config.js";

const run = (name: string, settings: object, facts: RunFacts) => {
  const config = completeConfig({ blobs: 100, steps: 50, ...settings });
  return { id: name, name, config, facts } as ComparedRun;
};

describe("the row of a run", () => {
  const facts = { psnr: 31.25, loss: 0.00123, steps: 50, image: "cup, 8 × 8" };
  const [first, second] = [run("first", {}, facts), run("second", { learningRate: 0.08, tile: [8, 8] }, facts)];
  const rows = [first, second].map(rowOf);

  it("has the settings, the results and the current name", () => {
    const { blobs, tile, image, loss, run: name } = rows[1];
    assert.deepEqual([name, blobs, tile, image, loss], ["second", 100, "8 × 8", "cup, 8 × 8", 0.00123]);
    assert.equal(rows[1]["PSNR, dB"], 31.25);
    second.name = "renamed";
    assert.equal(rowOf(second), rows[1]);
    assert.equal(rows[1].run, "renamed");
  });

  it("separates the settings that differ, and omits unknown results", () => {
    const { differing, common } = settingsOf(rows);
    assert.deepEqual(differing, ["learningRate", "tile"]);
    assert.ok(common.includes("image") && common.includes("blobs"));
    assert.deepEqual(resultsOf(rows), ["PSNR, dB", "loss"]);
    const stopped = rowOf(run("stopped", {}, { ...facts, steps: 20 }));
    assert.deepEqual(resultsOf([...rows, stopped]), ["PSNR, dB", "loss", "steps trained"]);
  });
});

describe("runStyles()", () => {
  const rows = Array.from({ length: 9 }, (_, i) =>
    rowOf(run(`run ${i}`, { learningRate: 0.001 * 2 ** i, seed: 1 + (i % 3), tile: i % 2 ? [8, 8] : [8, 4] }, {})),
  );

  it("gives runs with the same value the same colour, and texts dashes", () => {
    const seeds = runStyles(rows, "seed", true).map(({ stroke }) => stroke);
    assert.deepEqual([seeds[0] === seeds[3], new Set(seeds).size], [true, 3]);
    const tiles = runStyles(rows, "tile", true);
    assert.deepEqual(
      [tiles[0].stroke, tiles[1].stroke, tiles[2].stroke],
      ["var(--run-1)", "var(--run-2)", "var(--run-1)"],
    );
    assert.notEqual(tiles[0].strokeDasharray, tiles[1].strokeDasharray);
    assert.equal(tiles[8].className, "run run-9");
  });
});
