import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { decodeAll, modelOf } from "../../../src/engine/model/blob.js";
import { draw } from "../../../src/engine/model/rasterize.js";
import { type RenderTask, renderOf, scatterPixels, splitIntoTasks } from "../../../src/engine/model/renderTasks.js";
import { binBlobs } from "../../../src/engine/model/tileLists.js";
import { calcUV, tileArea } from "../../../src/engine/model/uv.js";
import { scene } from "../../support/scenes.js";

/** Crowded in one corner, with tiles that reach over the edges. */
function crowded() {
  const { config, image, state } = scene({ blobs: 3000, tile: "7x5", covarianceScale: 0.002 }, 100, 80);
  for (let i = 0; i < 2 * config.blobs; i++) state.parameters[i] *= 0.6;
  const { tile, background } = config;
  const model = modelOf(config, image);
  const uv = calcUV(image, image);
  const lists = binBlobs(decodeAll(state.parameters, model), image, uv, tile);
  const render = { size: image, tile, across: lists.across, uv, background, model };
  return { image, lists, render, state, parts: splitIntoTasks(render, lists, state.parameters, image.data) };
}

describe("partsOf()", () => {
  it("gives every tile to one part, in order, with its short-list, its blobs' parameters and its pixels", () => {
    const { image, lists, render, state, parts } = crowded();
    const picture = new Float32Array(image.data.length);
    let tile = 0;
    for (const part of parts) {
      assert.equal(part.firstTile, tile);
      for (let t = 0; t + 1 < part.offsets.length; t++, tile++) {
        const list = part.list.subarray(part.offsets[t], part.offsets[t + 1]).map((place) => part.blobs[place]);
        assert.deepEqual(list, lists.blobs.slice(lists.offsets[tile], lists.offsets[tile + 1]));
      }
      assert.equal(new Set(part.blobs).size, part.blobs.length);
      const expected = Array.from({ length: 9 }, (_, field) =>
        Array.from(part.blobs, (blob) => state.parameters[3000 * field + blob]),
      );
      assert.deepEqual(Array.from(part.parameters), expected.flat());
      scatterPixels(render, part.firstTile, tile, Float32Array.from(part.target), picture);
    }
    assert.equal(tile, lists.across * lists.down);
    assert.deepEqual(picture, Float32Array.from(image.data));
  });

  it("cuts where the work is, so that no part has much more than its share", () => {
    const { image, lists, render, parts } = crowded();
    const pairsOf = (tile: number) => {
      const { left, right, top, bottom } = tileArea(tile, lists.across, render.tile, image);
      return (right - left) * (bottom - top) * (lists.offsets[tile + 1] - lists.offsets[tile]);
    };
    const pairs = Array.from(parts, ({ firstTile, offsets }) => {
      let sum = 0;
      for (let t = 0; t + 1 < offsets.length; t++) sum += pairsOf(firstTile + t);
      return sum;
    });
    const total = pairs.reduce((sum, more) => sum + more);
    assert.ok(pairs.length > 10, `${pairs.length} parts`);
    assert.equal(pairs.length, parts.count);
    assert.ok(Math.max(...pairs) < (2 * total) / pairs.length, `${Math.max(...pairs)} of ${total} pairs in one part`);
  });
});

describe("draw()", () => {
  /** One pixel under as many blobs that are all alike, and whoever reads their parameters. */
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

  it("decodes no blob behind those that let nothing more through, but for the ones beside them", () => {
    let reads = 0;
    const { pixels } = draw(stack(200_000, 3, () => reads++));
    assert.ok(pixels[3] < 1 / 255 && pixels[0] > 0.8);
    assert.ok(reads < 200_000, `${reads} numbers were read`);
  });

  it("keeps few of a tile's blobs decoded, and draws the same", () => {
    const blobs = 400_000;
    let [reads, most] = [0, 0];
    const heap = () => process.memoryUsage().heapUsed;
    const before = heap();
    const { pixels } = draw(
      stack(blobs, -14, () => {
        if (++reads % 50_000 === 0) most = Math.max(most, heap() - before);
      }),
    );
    const alpha = 1 / (1 + Math.exp(14));
    assert.ok(Math.abs(pixels[3] / (1 - alpha) ** blobs - 1) < 1e-4);
    assert.ok(reads > 9 * blobs);
    // All of them take 170 MB.
    assert.ok(most < 100e6, `${most / 1e6} MB`);
  });
});
