import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readScaling, type Scaling, type ScalingRow, scalingFile } from "../../../src/engine/bench/scaling.js";
import { arrowFile } from "../../../src/engine/files/arrowFile.js";

const measured: ScalingRow = {
  axis: "blobs",
  pipeline: "binned",
  refusal: "",
  blobs: 40960,
  width: 512,
  height: 256,
  entries: 5_000_000_000,
  median: 0.3,
  min: 0.29,
  max: 0.4,
  psnr: 31.6,
  bytes: 36 * 40960,
};
const refusal = "blobs must be at most 7 on this adapter (got 40960).";
const refused: ScalingRow = { ...measured, pipeline: "tiled", entries: Number.NaN, median: Number.NaN, refusal };
const scaling: Scaling = {
  date: "2026-11-21T10:00:00.000Z",
  commit: "abc",
  versions: { node: "20" },
  host: "a machine",
  adapter: "an adapter (driver 1)",
  image: { name: "astronaut.png", width: 512, height: 512, hash: "12" },
  rows: [measured, refused],
};

describe("scaling.arrow", () => {
  it("round-trips measured and refused jobs, with their origin", () => {
    assert.deepEqual(readScaling(scalingFile(scaling)), scaling);
  });

  it("rejects other files", () => {
    const bytes = scalingFile(scaling);
    assert.throws(() => readScaling(bytes.subarray(0, 100)), /scaling\.arrow is not a complete Arrow file/);
    const other = (metadata: object) => arrowFile({ blobs: Float64Array.of(1) }, { ...metadata });
    assert.throws(() => readScaling(other({})), { message: "scaling.arrow was not written by splatbook." });
  });
});
