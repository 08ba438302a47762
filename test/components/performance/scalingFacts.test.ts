import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  bytesEach,
  growthOf,
  measuredJobs,
  series,
  withTilesOf,
} from "../../../src/components/performance/scalingFacts.js";
import { growthSentence } from "../../../src/components/performance/scalingSentences.js";
import type { Scaling, ScalingRow } from "../../../src/engine/bench/scaling.js";

function row(given: Partial<ScalingRow>): ScalingRow {
  const job = { axis: "blobs", pipeline: "binned", blobs: 100, width: 64, height: 64, tileWidth: 8, tileHeight: 4 };
  const tiles = { listTileWidth: 16, listTileHeight: 8, entries: 1000, listedPairs: 9000, supportedPairs: 5000 };
  const times = { median: 1, min: 1, max: 1, stepsMeasured: 10, openTime: 1, psnr: 20, refusal: "" };
  return { ...job, ...tiles, ...times, covarianceScale: 1e-4, allocated: { a: 1000 }, ...given };
}

const rows = [
  row({ blobs: 1600, entries: 16000, median: 15 }),
  row({ blobs: 100 }),
  row({ blobs: 400, entries: 4000, median: 3 }),
  row({ blobs: 25, median: 0.9 }),
  row({ blobs: 6400, median: Number.NaN, refusal: "too many" }),
  row({ axis: "image", width: 128 }),
  row({ pipeline: "tiled", blobs: 400 }),
];

describe("growthOf()", () => {
  it("takes the base number of blobs and all larger measured jobs, in order", () => {
    const growth = growthOf(rows, "blobs", "binned");
    assert.deepEqual(
      growth.map(({ to, time, entries }) => [to.blobs, time, entries]),
      [
        [400, 3, 4],
        [1600, 15, 16],
      ],
    );
    assert.deepEqual(
      series(rows, "blobs", "binned").map(({ blobs }) => blobs),
      [25, 100, 400, 1600],
    );
  });
});

describe("measuredJobs()", () => {
  it("gives the time in proportion to intersections, from the base on, and leaves out refused jobs", () => {
    assert.deepEqual(
      measuredJobs(rows)
        .filter(({ axis, pipeline }) => axis === "blobs" && pipeline === "binned")
        .map(({ blobs, expected }) => [blobs, expected]),
      [
        [25, Number.NaN],
        [100, 1],
        [400, 4],
        [1600, 16],
      ],
    );
  });
});

describe("withTilesOf()", () => {
  it("compares a job of other tiles with the base job of these tiles, if measured", () => {
    const large = row({ axis: "all", blobs: 1600, width: 640, listTileHeight: 16 });
    const like = row({ axis: "tile", listTileHeight: 16, entries: 600 });
    assert.equal(withTilesOf(large, rows[1], [...rows, like]), like);
    assert.equal(withTilesOf(large, rows[1], rows), rows[1]);
    assert.equal(withTilesOf(rows[0], rows[1], [...rows, like]), rows[1]);
  });
});

describe("growthSentence()", () => {
  const sentence = (more: ScalingRow[]) => growthSentence({ rows: [...rows, ...more] } as Scaling);

  it("states that time grows by less than intersections if all jobs do, and names the nearest", () => {
    assert.match(
      sentence([]),
      /grows by less.* 2 larger jobs\. Nearest: 1,600 blobs .* 15 times as long as 100 .* for 16 times/,
    );
  });

  it("states otherwise if one job does not", () => {
    const worse = row({ blobs: 800, entries: 8000, median: 9 });
    assert.match(sentence([worse]), /can grow faster.* Worst: 800 blobs .* 9 times as long as 100 .* for 8 times/);
  });
});

describe("bytesEach()", () => {
  it("returns slope and intercept", () => {
    const lines = [1, 2, 10, 500].map((blobs) => row({ blobs, allocated: { fixed: 1000, each: 144 * blobs } }));
    const line = bytesEach(lines, ({ blobs }) => blobs)!;
    assert.ok(Math.abs(line.each - 144) < 1e-6 && Math.abs(line.start - 1000) < 1e-6 && line.off < 1e-9);
  });

  it("returns the largest relative deviation", () => {
    const lines = [1000, 2000, 3100].map((bytes, i) => row({ blobs: i + 1, allocated: { bytes } }));
    const { off } = bytesEach(lines, ({ blobs }) => blobs)!;
    assert.ok(off > 0.01 && off < 0.05, String(off));
  });
});
