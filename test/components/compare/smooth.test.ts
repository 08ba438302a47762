import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { smooth } from "../../../src/components/compare/smooth.js";

const rows = [8, 4, 6].map((loss, i) => ({ step: i, loss, psnr: 10 * loss }));

describe("smooth()", () => {
  it("is the bias-corrected exponential moving average", () => {
    // s₁ = 0.25·8 = 2, s₂ = 0.75·2 + 0.25·4 = 2.5, s₃ = 0.75·2.5 + 0.25·6 = 3.375; divided by 0.25, 0.4375, 0.578125.
    const expected = [8, 2.5 / 0.4375, 3.375 / 0.578125];
    for (const [i, { step, loss, psnr }] of smooth(rows, 0.75).entries()) {
      assert.equal(step, i);
      assert.ok(Math.abs(loss - expected[i]) < 1e-12, `${loss} instead of ${expected[i]}`);
      assert.ok(Math.abs(psnr - 10 * expected[i]) < 1e-11, `${psnr}`);
    }
  });

  it("keeps constant values, and all values without smoothing", () => {
    const constant = smooth(
      Array.from({ length: 50 }, () => ({ loss: 3, psnr: 20 })),
      0.99,
    );
    assert.ok(constant.every(({ loss, psnr }) => Math.abs(loss - 3) < 1e-9 && Math.abs(psnr - 20) < 1e-9));
    assert.deepEqual(smooth(rows, 0), rows);
  });
});
