import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { decodeAll, modelOf } from "../../../src/engine/model/blob.js";
import { draw } from "../../../src/engine/model/rasterize.js";
import { type RenderTask, renderOf, renderTask, scatterPixels } from "../../../src/engine/model/renderTasks.js";
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

describe("draw()", () => {
  /** One pixel under equal blobs; `read` is called for each parameter that is read. */
  function stack(blobs: number, logitOpacity: number, read: () => void): RenderTask {
    const config = completeConfig({ preset: "quality", blobs, tile: [1, 1] });
    const parameters = new Float64Array(9 * blobs);
    for (const [field, value] of [0, 0, 2, 2, 0, 0.9, 0.5, 0.1, logitOpacity].entries()) {
      parameters.fill(value, field * blobs, (field + 1) * blobs);
    }
    const watched = new Proxy(parameters, {
      get(numbers, key) {
        read();
        return numbers[key as unknown as number];
      },
    });
    const list = Uint32Array.from({ length: blobs }, (_, i) => i);
    const offsets = Uint32Array.of(0, blobs);
    const target = new Uint8ClampedArray();
    const render = renderOf(config, { width: 1, height: 1 });
    return { render, firstTile: 0, offsets, list, blobs: list, parameters: watched, target };
  }

  it("decodes few blobs behind opaque ones", () => {
    let reads = 0;
    const pixels = draw(stack(200_000, 3, () => reads++));
    assert.ok(pixels[3] < 1 / 255 && pixels[0] > 0.8);
    assert.ok(reads < 200_000, `${reads} numbers were read`);
  });
});
