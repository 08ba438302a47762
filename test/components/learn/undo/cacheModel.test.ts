import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cacheFacts, uniformFacts } from "../../../../src/components/learn/undo/cacheModel.js";
import { ceilingErrors, nextBelow } from "../../../../src/components/learn/undo/ceilingModel.js";
import { startingTiles } from "../../../../src/components/learn/undo/startingTiles.js";
import { scene } from "../../../support/scenes.js";
import { listAt, momentOf } from "../moment.js";

describe("cacheFacts()", () => {
  it("counts a state for each blob of each pixel's list, also in tiles that extend beyond the image", async () => {
    const job = scene({ blobs: 50, tile: [8, 4] }, 20, 14);
    const moment = await momentOf(job);
    const { tiles } = moment.inspection;
    let states = 0;
    for (let y = 0; y < 14; y++) for (let x = 0; x < 20; x++) states += listAt(moment, x, y).length;
    const facts = cacheFacts(tiles, job.image);
    assert.equal(facts.states, states);
    assert.equal(facts.cacheBytes, 16 * states);
    assert.equal(facts.undoBytes, 20 * 20 * 14);
    assert.equal(facts.meanLength, states / 280);
    const { lengths } = startingTiles(job.config, job.image);
    assert.deepEqual(lengths, tiles.lengths, "a job's starting lists are those of `tiled` before the first step");
  });
});

describe("uniformFacts()", () => {
  it("counts a state for each blob of each pixel of a square", () => {
    const facts = { pixels: 10_000, states: 300_000, cacheBytes: 4_800_000, undoBytes: 200_000, meanLength: 30 };
    assert.deepEqual(uniformFacts(30, 100), facts);
  });
});

describe("ceilingErrors()", () => {
  const worst = (ceiling: number, hasStop = true) => {
    const errors = ceilingErrors({ blobs: 12, ceiling, hasStop });
    const largest = (name: "same" | "apart" | "forward") => Math.max(...errors.map((error) => error[name]));
    return { same: largest("same"), apart: largest("apart"), forward: largest("forward") };
  };

  it("is a few roundings for the same α at any limit below 1, and infinite at 1", () => {
    for (const ceiling of [0.9, 0.99, 0.999, 1 - 1e-6]) assert.ok(worst(ceiling).same < 12 * 2 ** -23, `${ceiling}`);
    assert.equal(worst(1).same, Number.POSITIVE_INFINITY);
    assert.ok(Number.isFinite(worst(1).forward), "both forward passes end at 0");
  });

  it("is one rounding over 1 − α for a stack of one blob", () => {
    for (const { same, apart } of ceilingErrors({ blobs: 1, ceiling: 0.75, hasStop: true })) {
      assert.equal(same, 0);
      assert.ok(Math.abs(apart - 2 ** -24 / 0.25) < 2 ** -26);
    }
  });

  it("grows as 1/(1 − α) where α is off by one rounding in the backward pass", () => {
    const rounding = 2 ** -24;
    for (const ceiling of [0.99, 0.999, 0.9999]) {
      const ratio = worst(ceiling).apart / (rounding / (1 - ceiling));
      assert.ok(ratio > 0.9 && ratio < 3, `${ceiling}: ${ratio}`);
    }
    assert.ok(nextBelow(1) === 1 - rounding);
    assert.equal(nextBelow(0), 0);
  });
});
