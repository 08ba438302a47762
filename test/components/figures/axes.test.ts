import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RunRow } from "../../../src/components/compare/runRow.js";
import { axisOf, canBeLog, isWide, positionOn, ticksOf } from "../../../src/components/figures/axes.js";

const rows: RunRow[] = [
  { run: "a", rate: 0.001, psnr: 20, blend: "over", auto: "auto" },
  { run: "b", rate: 0.1, psnr: Number.POSITIVE_INFINITY, blend: "sum", auto: 64 },
  { run: "c", rate: 0.01, psnr: 30, blend: "over", auto: 64 },
  { run: "d", rate: 0, psnr: undefined },
];
const positive = rows.slice(0, 3);
const choice = (log: string[] = [], flipped: string[] = []) => ({ log, flipped });
const positions = (name: string, ...[log, flipped]: Parameters<typeof choice>) => {
  const axis = axisOf(name, positive, choice(log, flipped));
  return rows.map((row) => positionOn(axis, row[name])?.toFixed(3));
};

describe("an axis", () => {
  it("is linear or logarithmic from the smallest value to the largest", () => {
    assert.deepEqual(positions("rate"), ["0.000", "1.000", "0.091", undefined]);
    assert.deepEqual(positions("rate", ["rate"]), ["0.000", "1.000", "0.500", undefined]);
  });

  it("starts at its other end if it is flipped", () => {
    assert.deepEqual(positions("rate", ["rate"], ["rate"]), ["1.000", "0.000", "0.500", undefined]);
  });

  it("has no place for unknown and infinite values", () => {
    assert.deepEqual(positions("psnr"), ["0.000", undefined, "1.000", undefined]);
  });

  it("places texts at even distances, and numbers with texts among them as texts", () => {
    assert.deepEqual(positions("blend"), ["0.000", "1.000", "0.000", undefined]);
    assert.deepEqual(axisOf("auto", positive, choice(["auto"])).type, "point");
  });

  it("has a single value in its middle", () => {
    const axis = axisOf("rate", [rows[0]], choice());
    assert.equal(positionOn(axis, 0.001), 0.5);
    assert.deepEqual(ticksOf(axis), [0.001]);
  });

  it("is logarithmic only if all values are positive numbers", () => {
    assert.equal(canBeLog("rate", positive), true);
    assert.equal(canBeLog("rate", rows), false);
    assert.equal(canBeLog("blend", rows), false);
    assert.equal(axisOf("rate", rows, choice(["rate"])).type, "linear");
    assert.deepEqual([isWide("rate", positive), isWide("psnr", positive), isWide("blend", rows)], [true, false, false]);
  });

  it("has its ticks inside", () => {
    for (const log of [[], ["rate"]]) {
      const axis = axisOf("rate", positive, choice(log));
      const ticks = ticksOf(axis);
      assert.ok(ticks.length > 1);
      assert.ok(
        ticks.every((tick) => positionOn(axis, tick) !== undefined),
        ticks.join(" "),
      );
    }
  });
});
