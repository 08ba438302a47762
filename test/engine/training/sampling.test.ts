import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { uniformGenerator } from "../../../src/engine/random.js";
import { blurred } from "../../../src/engine/training/sampling.js";

describe("blurred()", () => {
  it("is the mean of means over three pixels, bit for bit, with edge pixels counted twice", () => {
    for (const [width, height] of [
      [1, 1],
      [1, 4],
      [4, 1],
      [2, 2],
      [7, 5],
    ]) {
      const random = uniformGenerator(3);
      const values = Float64Array.from({ length: width * height }, () => random() / 3);
      const near = (i: number, length: number) => [Math.max(i - 1, 0), i, Math.min(i + 1, length - 1)];
      const mean = ([a, b, c]: number[]) => (a + b + c) / 3;
      const expected = values.map((_, i) => {
        const [x, y] = [i % width, Math.floor(i / width)];
        return mean(near(y, height).map((y) => mean(near(x, width).map((x) => values[y * width + x]))));
      });
      const write = (y: number, row: Float64Array) => row.set(values.subarray(y * width, (y + 1) * width));
      assert.deepEqual(blurred({ width, height }, write), expected, `${width}x${height}`);
    }
  });
});
