import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readSweepLink, sweepCommand } from "../../../src/components/sweep/sweepLink.js";
import { sweepOf } from "../../../src/engine/sweep/sweep.js";

const typical = [0.001, 0.003, 0.01];

describe("readSweepLink()", () => {
  it("reads the settings of the lab's links, and the values of two settings", () => {
    const link = readSweepLink("?picture=coffee&size=32&seed=7&vary=blobs=10,20&vary=tile=8x4,16x16", "cpu");
    assert.deepEqual([link.picture, link.size, link.config], ["coffee", "32", { seed: 7 }]);
    const [rows, columns] = link.vary;
    assert.deepEqual(rows, { field: "blobs", values: [10, 20] });
    assert.deepEqual(columns, { field: "tile", values: ["8x4", "16x16"] });
  });

  it("opens a sweep of one setting with one column, and of more settings with the first two", () => {
    const varied = (search: string) => readSweepLink(search, "cpu").vary.map(({ field, values }) => [field, ...values]);
    assert.deepEqual(varied("?vary=blobs=10,20"), [
      ["blobs", 10, 20],
      ["seed", 1],
    ]);
    assert.deepEqual(varied("?vary=seed=1,2&vary=blobs=10&vary=steps=5"), [
      ["seed", 1, 2],
      ["blobs", 10],
    ]);
  });

  it("drops what the page no longer has", () => {
    const { config, vary } = readSweepLink("?own=key&random=20&vary=learningRate=0.001..0.1x&vary=size=3", "cpu");
    assert.deepEqual(config, {});
    assert.deepEqual(vary[0], { field: "learningRate", values: typical });
    assert.equal(vary[1].field, "blobs");
  });
});

describe("sweepCommand()", () => {
  it("has all settings of the sweep", () => {
    const config = { preset: "quality", blobs: undefined, steps: 100, tile: [8, 4] };
    const sweep = sweepOf(config, { learningRate: "0.01,0.1", blobs: "10,20" });
    assert.equal(
      sweepCommand(sweep, "my photo.jpg", 96),
      'npx splatbook sweep "my photo.jpg" --longest 96 --vary learning-rate=0.01,0.1 --vary blobs=10,20 --preset quality --steps 100 --tile 8x4',
    );
  });
});
