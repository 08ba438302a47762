import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { type Quality, type QualityRun, qualityFile, readQuality } from "../../../src/engine/bench/qualityResult.js";
import { defaults } from "../../../src/engine/config.js";

const run: QualityRun = {
  part: "ladder",
  row: "start by gradient",
  image: "astronaut",
  width: 512,
  height: 256,
  blobs: 9000,
  steps: 5000,
  seconds: 1.25,
  psnr: 36.5,
  ssim: 0.91,
  msSsim: 0.99,
  bytes: 65536,
  bitsPerPixel: 4,
  filePsnr: 36.4,
  config: { ...defaults, tile: [16, 16] },
  date: "2026-11-21T10:00:00.000Z",
};
const quality: Quality = {
  date: "2026-11-21T10:00:00.000Z",
  commit: "abc",
  versions: { node: "20" },
  host: "a machine",
  adapter: "an adapter (driver 1)",
  runs: [run, { ...run, part: "sizes", row: "quality", msSsim: Number.NaN, bytes: Number.NaN }],
};

describe("quality.arrow", () => {
  it("round-trips runs with their configurations and origin", () => {
    assert.deepEqual(readQuality(qualityFile(quality)), quality);
  });

  it("reads rows of version 0.1.0 under their current names", () => {
    const rows = ["seed", "white composite", "schedule"];
    const old = { ...quality, runs: rows.map((row) => ({ ...run, row })) };
    const present = ["baseline", "white background", "schedule"];
    assert.deepEqual(
      readQuality(qualityFile(old)).runs.map(({ row }) => row),
      present,
    );
  });
});
