import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { neighbour } from "../../../src/components/sweep/runGrid.js";
import { givenFields, readSweepLink, writeSweepLink } from "../../../src/components/sweep/sweepJob.js";
import { writeLink } from "../../../src/components/training/link.js";
import { startingJob } from "../../../src/components/training/startingJob.js";
import { completeConfig } from "../../../src/engine/config.js";
import { plannedRuns, sweepOf } from "../../../src/engine/sweep/sweep.js";

const { config: start } = startingJob("cpu");

describe("the address of a sweep", () => {
  it("is read back, and its settings are those of the lab's address", () => {
    const config = completeConfig({ ...start, blobs: 30, learningRate: 0.05 });
    const lab = writeLink(config, start, { picture: "coffee", size: "32" });
    const vary = { blobs: "10,20", tile: "8x4,16x16" };
    const link = readSweepLink(writeSweepLink(lab, vary, undefined), "cpu");
    assert.deepEqual([link.picture, link.size, link.own, link.vary], ["coffee", "32", undefined, vary]);
    assert.deepEqual(completeConfig({ ...start, ...link.config }), config);
    assert.deepEqual(Object.keys(readSweepLink(lab, "cpu").config), ["blobs", "learningRate"]);
  });

  it("that says nothing begins with a job that is smaller than the lab's", () => {
    for (const said of ["?picture=coffee", "?size=32", "?own=picture"]) {
      assert.deepEqual(readSweepLink(said, "cpu").config, {}, said);
    }
    const { config, vary } = readSweepLink("?engine=cpu", "cpu");
    assert.ok(Number(config.steps) < start.steps!);
    for (const { config: run } of plannedRuns(
      sweepOf(givenFields(completeConfig(start), start, Object.keys(vary)), vary),
    )) {
      assert.ok(run);
    }
  });
});

describe("givenBy()", () => {
  it("tells a config again, also where it is far from its preset", () => {
    for (const config of [
      completeConfig({ ...start, blobs: 30, covarianceScale: 0.01, seed: 7 }),
      completeConfig({ preset: "quality", blobs: 50, blend: "sum" }),
    ]) {
      const { blobs, ...given } = givenFields(config, start, []);
      assert.deepEqual(completeConfig({ ...given, blobs }), config);
      const [run] = plannedRuns(sweepOf(givenFields(config, start, ["blobs"]), { blobs: [config.blobs] }));
      assert.deepEqual(run.config, config);
    }
  });

  it("leaves to a swept preset what the preset says", () => {
    const given = givenFields(completeConfig(start), start, ["preset"]);
    const [, quality] = plannedRuns(sweepOf(given, { preset: "baseline,quality" }));
    assert.equal(quality.config?.learningRate, completeConfig({ preset: "quality" }).learningRate);
    assert.equal(quality.config?.blobs, start.blobs);
  });
});

describe("neighbour()", () => {
  it("stays in the grid, row by row", () => {
    const sweep = sweepOf({}, { blobs: [1, 2], steps: [1, 2, 3] });
    const from = (index: number) =>
      ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "a"].map((key) => neighbour(key, index, sweep));
    assert.deepEqual(from(0), [undefined, 1, undefined, 3, undefined]);
    assert.deepEqual(from(2), [1, undefined, undefined, 5, undefined]);
    assert.deepEqual(from(4), [3, 5, 1, undefined, undefined]);
  });
});
