import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { blobsIn, type DotChart, drawDots, nearestDot } from "../../../src/engine/model/dots.js";

/** A chart of 100 by 50 pixels, 0 to 10 along x and 0.01 to 100 along y. */
const chart: DotChart = {
  width: 100,
  height: 50,
  x: { column: "opacity_decoded", isLog: false, domain: [0, 10] },
  y: { column: "variance_x_decoded", isLog: true, domain: [0.01, 100] },
  radius: 2,
  alpha: 0.5,
};

const values = {
  x: [5, 0, 10, 12, 5, 5],
  y: [1, 0.01, 100, 1, -1, 1],
  colors: [
    [1, 0, 0, 1, 1, 0],
    [0, 0, 0, 1, 1, 0],
    [0, 0, 1, 1, 1, 0],
  ],
} as const;

describe("drawDots()", () => {
  const { data } = drawDots(chart, values);
  const pixel = (x: number, y: number) => [...data.subarray(4 * (100 * y + x), 4 * (100 * y + x) + 4)];

  it("draws a dot where its values are on the scales, and none outside them or without a logarithm", () => {
    assert.deepEqual(pixel(0, 49), [0, 0, 0, 128]);
    assert.deepEqual(pixel(99, 0), [0, 0, 255, 128]);
    const covered = Array.from({ length: 100 * 50 }, (_, i) => i).filter((i) => data[4 * i + 3] > 0);
    const near = (x: number, y: number) =>
      covered.filter((i) => Math.hypot((i % 100) - x, Math.floor(i / 100) - y) <= 2);
    assert.equal(covered.length, near(50, 25).length + near(0, 49).length + near(99, 0).length);
    assert.equal(near(50, 25).length, 13);
  });

  it("mixes the colours of dots that cover a pixel, and adds up their opacity", () => {
    assert.deepEqual(pixel(50, 25), [128, 0, 0, 191]);
    assert.deepEqual(pixel(52, 25), [128, 64, 64, 191], "their edge is half grey");
  });
});

describe("nearestDot()", () => {
  it("finds the dot next to a position, within reach", () => {
    assert.equal(nearestDot(chart, values, [97, 3], 6), 2);
    assert.equal(nearestDot(chart, values, [3, 47], 6), 1);
    assert.equal(nearestDot(chart, values, [30, 25], 6), undefined);
  });
});

describe("blobsIn()", () => {
  it("returns the blobs of a range with its ends", () => {
    assert.deepEqual([...blobsIn(values, { x: [5, 10], y: [1, Number.POSITIVE_INFINITY] })], [0, 2, 5]);
  });
});
