import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RunRow } from "../../../src/components/compare/runRow.js";
import { axisOf } from "../../../src/components/figures/axes.js";

const rows: RunRow[] = [
  { run: "a", rate: 0.001, psnr: 20, blend: "over", auto: "auto" },
  { run: "b", rate: 0.1, psnr: Number.POSITIVE_INFINITY, blend: "sum", auto: 64 },
  { run: "c", rate: 0.01, psnr: 30, blend: "over", auto: 64 },
  { run: "d", rate: 0, psnr: undefined },
];
const positive = rows.slice(0, 3);

describe("an axis", () => {
  it("is logarithmic if all values are positive and span a factor of ten, and linear otherwise", () => {
    assert.deepEqual(axisOf("rate", positive), { name: "rate", type: "log", domain: [0.001, 0.1] });
    assert.deepEqual(axisOf("rate", rows), { name: "rate", type: "linear", domain: [0, 0.1] });
  });

  it("leaves out unknown and infinite values", () => {
    assert.deepEqual(axisOf("psnr", rows), { name: "psnr", type: "linear", domain: [20, 30] });
  });

  it("places texts, and numbers with texts among them, in the order of the runs", () => {
    assert.deepEqual(axisOf("blend", positive).domain, ["over", "sum"]);
    assert.deepEqual(axisOf("auto", positive), { name: "auto", type: "point", domain: ["auto", 64] });
  });
});
