import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Image } from "../../../src/engine/image/image.js";
import { reducedSize, reduceImage } from "../../../src/engine/image/reduce.js";

describe("reduceImage()", () => {
  const grey = (width: number, height: number, value: (x: number, y: number) => number): Image => {
    const data = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let pixel = 0; pixel < width * height; pixel++) {
      data.fill(value(pixel % width, Math.floor(pixel / width)), 4 * pixel, 4 * pixel + 3);
    }
    return { width, height, data };
  };

  it("returns a small image unchanged", () => {
    const image = grey(5, 3, (x) => x);
    for (const longest of [5, 100]) assert.equal(reduceImage(image, longest), image);
  });

  it("keeps the aspect ratio, and at least one pixel", () => {
    assert.deepEqual(reducedSize({ width: 600, height: 400 }, 96), { width: 96, height: 64 });
    assert.deepEqual(reducedSize({ width: 410, height: 600 }, 96), { width: 66, height: 96 });
    assert.deepEqual(reducedSize({ width: 600, height: 410 }, 96), { width: 96, height: 66 });
    assert.deepEqual(reducedSize({ width: 1000, height: 1 }, 10), { width: 10, height: 1 });
    assert.deepEqual(reducedSize({ width: 1, height: 1000 }, 10), { width: 1, height: 10 });
  });

  it("sets each pixel to the mean of its area", () => {
    const { data } = reduceImage(
      grey(4, 2, (x, y) => 10 * x + 100 * y),
      2,
    );
    assert.deepEqual([...data], [55, 55, 55, 255, 75, 75, 75, 255]);
  });

  it("weights pixels on an edge by their coverage", () => {
    const { data } = reduceImage(
      grey(3, 3, (x) => [0, 90, 240][x]),
      2,
    );
    assert.deepEqual([data[0], data[4]], [30, 190]);
  });
});
