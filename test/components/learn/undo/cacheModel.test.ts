import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cacheFacts } from "../../../../src/components/learn/undo/cacheModel.js";
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
