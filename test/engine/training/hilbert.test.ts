import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hilbertCurve } from "../../../src/engine/training/hilbert.js";

const sizes = [
  [1, 1],
  [7, 1],
  [2, 2],
  [4, 5],
  [13, 9],
  [17, 30],
  [31, 16],
];

describe("hilbertCurve()", () => {
  it("visits each pixel once, from neighbour to neighbour", () => {
    for (const [width, height] of sizes) {
      const curve = hilbertCurve(width, height);
      assert.equal(curve.length, width * height);
      assert.equal(new Set(curve).size, width * height);
      assert.ok(curve.every((pixel) => pixel < width * height));
      let diagonal = 0;
      for (let k = 1; k < curve.length; k++) {
        const across = Math.abs((curve[k] % width) - (curve[k - 1] % width));
        const down = Math.abs(Math.floor(curve[k] / width) - Math.floor(curve[k - 1] / width));
        if (across === 1 && down === 1) diagonal++;
        else assert.equal(across + down, 1, `step ${k}`);
      }
      // Where the longer side is odd and the shorter even, no curve between two corners of it does without one.
      const needed = Math.max(width, height) % 2 === 1 && Math.min(width, height) % 2 === 0;
      assert.equal(diagonal, needed ? 1 : 0, `${width}x${height}`);
    }
  });

  it("keeps what is near on it close in the image", () => {
    const curve = hilbertCurve(64, 48);
    let farthest = 0;
    for (let k = 64; k < curve.length; k++) {
      const [a, b] = [curve[k], curve[k - 64]];
      farthest = Math.max(farthest, Math.hypot((a % 64) - (b % 64), Math.floor(a / 64) - Math.floor(b / 64)));
    }
    // Row by row, pixels that are 63 steps apart would be 63 pixels apart.
    assert.ok(farthest < 24, `64 steps lead ${farthest} pixels away`);
  });
});
