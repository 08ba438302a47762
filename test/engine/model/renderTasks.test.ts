import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decodeAll, modelOf } from "../../../src/engine/model/blob.js";
import { renderTask, scatterPixels } from "../../../src/engine/model/renderTasks.js";
import { binBlobs, blobsOfTile } from "../../../src/engine/model/tileLists.js";
import { calcUV } from "../../../src/engine/model/uv.js";
import { scene } from "../../support/scenes.js";

/** Blobs in one corner, with tiles that extend over the edges. */
function crowded() {
  const { config, image, state } = scene({ blobs: 3000, tile: "7x5", covarianceScale: 0.002 }, 100, 80);
  for (let i = 0; i < 2 * config.blobs; i++) state.parameters[i] *= 0.6;
  const { tile, background } = config;
  const model = modelOf(config, image);
  const uv = calcUV(image, image);
  const lists = binBlobs(decodeAll(state.parameters, model), image, uv, tile);
  const render = { size: image, tile, across: lists.across, uv, background, model };
  return { image, lists, render, state };
}

describe("renderTask()", () => {
  it("returns some tiles with their lists, the parameters of their blobs and their pixels", () => {
    const { image, lists, render, state } = crowded();
    const gathered = new Float32Array(image.data.length);
    const count = lists.across * lists.down;
    for (let first = 0; first < count; first += 70) {
      const end = Math.min(first + 70, count);
      const task = renderTask(render, lists, state.parameters, image.data, first, end);
      assert.deepEqual([task.firstTile, task.offsets.length], [first, end - first + 1]);
      for (let t = 0; first + t < end; t++) {
        const list = task.list.subarray(task.offsets[t], task.offsets[t + 1]).map((index) => task.blobs[index]);
        assert.deepEqual(list, blobsOfTile(lists, first + t).slice());
      }
      assert.equal(new Set(task.blobs).size, task.blobs.length);
      const expected = Array.from({ length: 9 }, (_, field) =>
        Array.from(task.blobs, (blob) => state.parameters[3000 * field + blob]),
      );
      assert.deepEqual(Array.from(task.parameters), expected.flat());
      scatterPixels(render, first, end, Float32Array.from(task.target), gathered);
    }
    assert.deepEqual(gathered, Float32Array.from(image.data));
  });
});
