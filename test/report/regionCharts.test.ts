import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { rangeOf } from "../../src/report/regionCharts.js";

describe("the map of PSNR by region", () => {
  it("has a colour scale of the finite values, even if one region or all have no error", () => {
    const of = (...psnr: number[]) => rangeOf(psnr.map((psnr) => ({ psnr })));
    assert.deepEqual(of(31, 28.5, 40), [28.5, 40]);
    assert.deepEqual(of(31, Number.POSITIVE_INFINITY, 28.5), [28.5, 31]);
    assert.deepEqual(of(Number.POSITIVE_INFINITY), [0, 1]);
  });
});
