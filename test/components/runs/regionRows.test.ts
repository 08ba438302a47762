import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { joinRegions } from "../../../src/components/runs/regionRows.js";
import type { MetricsRow } from "../../../src/engine/files/arrow.js";
import { psnrOfLoss } from "../../../src/engine/image/metrics.js";

function row(region: number, step: number, loss: number): MetricsRow {
  const gradientNorms = { center: loss, variance: 0, correlation: 0, color: 0, opacity: 0 };
  const tileLists = { mean: 10 * region, longest: region, overflowing: 1, passes: 1 };
  return { region, step, loss, psnr: psnrOfLoss(loss), seconds: step, gradientNorms, tileLists };
}

describe("joinRegions()", () => {
  const rows = [row(0, 10, 0.3), row(0, 20, 0.1), row(1, 10, 0.6), row(1, 30, 0.2)];

  it("weighs regions by their pixels, and repeats the previous row of a region without one at a step", () => {
    const joined = joinRegions(rows, [
      { width: 30, height: 10 },
      { width: 10, height: 10 },
    ]);
    const near = (value: number, expected: number) => assert.ok(Math.abs(value - expected) < 1e-12, `${value}`);
    assert.deepEqual(
      joined.map(({ step }) => step),
      [10, 20, 30],
    );
    for (const [i, loss] of [0.375, 0.225, 0.125].entries()) {
      near(joined[i].loss, loss);
      near(joined[i].psnr, psnrOfLoss(loss));
    }
    assert.deepEqual(
      joined.map(({ seconds }) => seconds),
      [20, 30, 50],
    );
    assert.equal(joined[0].tileLists.longest, 1);
    near(joined[0].tileLists.mean, 2.5);
    near(joined[0].gradientNorms.center, Math.hypot(0.75 * 0.3, 0.25 * 0.6));
  });

  it("leaves rows without regions alone", () => {
    const whole = rows.slice(0, 2).map(({ region, ...rest }) => rest);
    assert.deepEqual(joinRegions(whole), whole);
  });
});
