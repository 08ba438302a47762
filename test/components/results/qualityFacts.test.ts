import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { ablationOf, imagesOf } from "../../../src/components/results/qualityFacts.js";
import type { QualityExperiment, QualityRun } from "../../../src/engine/bench/qualityResult.js";
import { defaults } from "../../../src/engine/config.js";

function run(
  part: QualityExperiment,
  row: string,
  image: string,
  psnr: number,
  given: Partial<QualityRun> = {},
): QualityRun {
  const size = { width: 768, height: 512, blobs: 9000, steps: 5000 };
  const reached = { seconds: 1.5, psnr, ssim: 0.9, msSsim: 0.99, bytes: 49152, bitsPerPixel: 1, filePsnr: psnr - 0.1 };
  return { part, row, image, ...size, ...reached, config: defaults, date: "", ...given };
}

const runs = [
  // One run has another number of blobs.
  run("ladder", "baseline", "a", 20, { blobs: 100 }),
  run("ladder", "baseline", "a", 30),
  run("ladder", "baseline", "b", 32),
  run("ladder", "direct", "a", 28),
  run("ladder", "direct", "b", 31),
  run("ladder", "growth", "a", 35),
  run("ladder", "growth", "b", 38),
  run("without", "no schedule", "a", 35.5),
  run("without", "no schedule", "b", 38),
  run("without", "uniform start", "a", 33),
  run("without", "uniform start", "b", 37),
  // The recording was stopped here.
  run("without", "white", "a", 10),
  run("sizes", "quality", "a", 40, { blobs: 20000 }),
  run("sizes", "quality", "b", 42, { blobs: 20000 }),
  run("sizes", "quality", "a", 30, { blobs: 1000 }),
  run("sizes", "quality", "b", 31, { blobs: 1000 }),
  run("sizes", "sum", "a", 29, { blobs: 1000 }),
  run("sizes", "sum", "b", 30, { blobs: 1000 }),
  // A gallery image with only one size.
  run("sizes", "quality", "astronaut", 25, { blobs: 1000 }),
];

describe("ablationOf()", () => {
  const { ladder, without } = ablationOf(runs);

  it("takes means over the same images for all rows, and leaves out incomplete rows", () => {
    assert.deepEqual(imagesOf(ladder), ["a", "b"]);
    assert.deepEqual(
      ladder.map(({ row, psnr }) => [row, psnr]),
      [
        ["baseline", 31],
        ["direct", 29.5],
        ["density control", 36.5],
      ],
    );
    assert.deepEqual(
      without.map(({ row, gain }) => [row, gain]),
      [
        ["uniform initialization", -1.5],
        ["constant learning rate", 0.25],
      ],
    );
  });
});
