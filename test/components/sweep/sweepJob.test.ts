import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { givenFields, readSweepLink, writeSweepLink } from "../../../src/components/sweep/sweepJob.js";
import { writeLink } from "../../../src/components/training/link.js";
import { startingJob } from "../../../src/components/training/startingJob.js";
import { completeConfig } from "../../../src/engine/config.js";
import { plannedRuns, sweepOf } from "../../../src/engine/sweep/sweep.js";

const { config: start } = startingJob("cpu");

describe("a link to a sweep", () => {
  it("is read back, with settings that the lab's links share", () => {
    const config = completeConfig({ ...start, blobs: 30, learningRate: 0.05 });
    const lab = writeLink(config, start, { picture: "coffee", size: "32" });
    const vary = { blobs: "10,20", tile: "8x4,16x16" };
    const link = readSweepLink(writeSweepLink(lab, vary, { random: 7 }), "cpu");
    assert.deepEqual(
      [link.picture, link.size, link.own, link.random, link.vary],
      ["coffee", "32", undefined, "7", vary],
    );
    assert.deepEqual(completeConfig({ ...start, ...link.config }), config);
    assert.deepEqual(Object.keys(readSweepLink(lab, "cpu").config), ["blobs", "learningRate"]);
  });

  it("without settings starts a smaller job than the lab", () => {
    for (const search of ["?picture=coffee", "?size=32", "?own=picture"]) {
      assert.deepEqual(readSweepLink(search, "cpu").config, {}, search);
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

describe("givenFields()", () => {
  it("determines a configuration, even one far from its preset", () => {
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

  it("leaves out what depends on a swept preset", () => {
    const given = givenFields(completeConfig(start), start, ["preset"]);
    const [, quality] = plannedRuns(sweepOf(given, { preset: "baseline,quality" }));
    assert.equal(quality.config?.learningRate, completeConfig({ preset: "quality" }).learningRate);
    assert.equal(quality.config?.blobs, start.blobs);
  });
});
