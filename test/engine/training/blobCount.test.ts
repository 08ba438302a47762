import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Image } from "../../../src/engine/image/image.js";
import { suggestBlobCount } from "../../../src/engine/training/blobCount.js";

function paint(width: number, height: number, gray: (x: number) => number): Image {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set([...new Array(3).fill(gray(pixel % width)), 255], 4 * pixel);
  }
  return { width, height, data };
}

describe("suggestBlobCount()", () => {
  it("is 0.6 times the sum of the gradient's magnitude", () => {
    // A ramp of one 8-bit step per pixel in three channels, half as steep at both ends.
    const ramp = paint(200, 302, (x) => x);
    const length = (Math.sqrt(3) / 255) * 302 * (198 + 2 * 0.5);
    assert.equal(suggestBlobCount(ramp), Math.round(0.6 * length));
  });

  it("is at least 50, and at most one blob per four pixels", () => {
    assert.equal(suggestBlobCount(paint(100, 100, () => 128)), 50);
    assert.equal(suggestBlobCount(paint(100, 100, (x) => 255 * ((x >> 1) % 2))), 2500);
  });
});
