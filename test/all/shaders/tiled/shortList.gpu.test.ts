import assert from "node:assert/strict";
import { describe } from "vitest";
import { decodeAll, modelOf } from "../../../../src/engine/model/blob.js";
import { blobBounds } from "../../../../src/engine/model/bounds.js";
import {
  bitonicSort,
  coarseRasterize,
  initShortList,
  padBuffer,
  passes,
} from "../../../../src/engine/model/shortList.js";
import { calcUV, tileBounds, tileGrid, tileOrigin } from "../../../../src/engine/model/uv.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { it } from "../../../support/gpu.js";
import { runKernel } from "../../../support/kernel.js";
import { type Scene, scene } from "../../../support/scenes.js";

/** Returns the bounds of all blobs and tiles, for the CPU reference. */
function boxes({ config, image, state }: Scene) {
  const { across, count } = tileGrid(image, config.tile);
  const mapping = calcUV(image, image);
  const tiles = Array.from({ length: count }, (_, t) =>
    tileBounds(tileOrigin(t, across, config.tile), config.tile, mapping),
  );
  return { bounds: decodeAll(state.parameters, modelOf(config, image)).map(blobBounds), tiles };
}

const start = `
  let tile = linearWorkgroup(workgroup);
  let bounds = tileBounds(threadPlace(tile, localIndex, dispatch.renderSize).origin, renderMapping());`;

const main = (body: string) => `
  @compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
  fn main(workgroup: Workgroup, @builtin(local_invocation_index) localIndex: u32) { ${body} }`;

describe("the stages of the tiled pipeline", () => {
  it("coarseRasterize gathers the reference's blobs in every tile, in any order", async ({ gpu }) => {
    const job = scene({ pipeline: "tiled", blobs: 150, gaussiansPerBlock: 256, seed: 3 }, 40, 30);
    const { bounds, tiles } = boxes(job);
    const stride = 257;
    const code = `
      #import tiled/coarseRasterize.wgsl
      ${main(`${start}
        let filled = coarseRasterize(initShortList(localIndex), Window(7u, 140u), bounds, localIndex);
        if (localIndex == 0u) {
          result[tile * ${stride}u] = sh_blobCount + filled.token;
          for (var i = 0u; i < sh_blobCount; i++) { result[tile * ${stride}u + 1u + i] = sh_blobs[i]; }
        }`)}`;
    const { words } = await runKernel(gpu, job, { code, words: stride * tiles.length, workgroups: tiles.length });
    let gathered = 0;
    for (const [t, tile] of tiles.entries()) {
      const reference = initShortList(256);
      coarseRasterize(reference, bounds, tile, 7, 140);
      const count = words[stride * t];
      assert.equal(count, reference.blobCount, `tile ${t}`);
      const list = words.slice(stride * t + 1, stride * t + 1 + count).sort();
      assert.deepEqual(list, reference.blobs.slice(0, count), `tile ${t}`);
      gathered += count;
    }
    assert.ok(gathered > 150, "the scene has blobs in several tiles");
  });

  it("coarseRasterize counts the blobs beyond the list's capacity without storing them", async ({ gpu }) => {
    const job = scene({ pipeline: "tiled", blobs: 150, gaussiansPerBlock: 16, covarianceScale: 0.1 });
    const { bounds, tiles } = boxes(job);
    const code = `
      #import tiled/coarseRasterize.wgsl
      ${main(`${start}
        let filled = coarseRasterize(initShortList(localIndex), Window(0u, job.blobCount), bounds, localIndex);
        if (localIndex == 0u) { result[tile] = sh_blobCount + filled.token; }`)}`;
    const { words } = await runKernel(gpu, job, { code, words: tiles.length, workgroups: tiles.length });
    for (const [t, tile] of tiles.entries()) {
      const reference = initShortList(16);
      coarseRasterize(reference, bounds, tile, 0, 150);
      assert.equal(words[t], reference.blobCount);
    }
    assert.ok(Math.max(...words) > 16);
  });

  for (const [gaussiansPerBlock, tile] of [
    [64, "8x4"],
    [128, "4x3"],
  ] as const) {
    it(`padBuffer and bitonicSort leave ${gaussiansPerBlock} entries as the reference does, with ${tile} threads`, async ({
      gpu,
    }) => {
      const job = scene({ pipeline: "tiled", gaussiansPerBlock, tile });
      const random = uniformGenerator(5);
      const given = Uint32Array.from({ length: gaussiansPerBlock - 9 }, () => 1000 * random());
      const code = `
        #import tiled/padBuffer.wgsl
        #import tiled/bitonicSort.wgsl
        ${main(`
          for (var i = localIndex; i < ${given.length}u; i += WORKGROUP_SIZE) { sh_blobs[i] = given[i]; }
          if (localIndex == 0u) { sh_blobCount = ${given.length}u; }
          workgroupBarrier();
          let sorted = bitonicSort(padBuffer(FilledShortList(), localIndex), localIndex);
          for (var i = localIndex; i < GAUSSIANS_PER_BLOCK; i += WORKGROUP_SIZE) { result[i] = sh_blobs[i] + sorted.token; }`)}`;
      const { words } = await runKernel(gpu, job, { code, given, words: gaussiansPerBlock });
      const reference = { blobs: new Uint32Array(gaussiansPerBlock), blobCount: given.length };
      reference.blobs.set(given);
      bitonicSort(padBuffer(reference));
      assert.deepEqual(words, reference.blobs);
      assert.deepEqual(words.slice(0, given.length), given.slice().sort());
    });
  }

  it("a tile with hundreds of blobs and a capacity of 32 takes the reference's passes, and drops no blob", async ({
    gpu,
  }) => {
    const job = scene({ pipeline: "tiled", blobs: 400, gaussiansPerBlock: 32, covarianceScale: 0.2 }, 16, 8);
    const { bounds, tiles } = boxes(job);
    const maxWords = 400 + 2 * 64;
    const code = `
      #import tiled/shortList.wgsl
      ${main(`${start}
        var at = tile * ${maxWords}u;
        var length = job.blobCount;
        for (var first = 0u; first < job.blobCount;) {
          let list = shortListAfter(first, length, bounds, localIndex);
          if (localIndex == 0u) {
            result[at] = list.window.end;
            result[at + 1u] = list.blobCount;
            for (var i = 0u; i < list.blobCount; i++) { result[at + 2u + i] = sh_blobs[i]; }
          }
          at += 2u + list.blobCount;
          length = list.window.end - list.window.start;
          first = list.window.end;
        }`)}`;
    const { words } = await runKernel(gpu, job, { code, words: maxWords * tiles.length, workgroups: tiles.length });
    for (const [t, tile] of tiles.entries()) {
      let at = maxWords * t;
      const blobs: number[] = [];
      let count = 0;
      for (const { end, list } of passes(bounds, tile, 32)) {
        assert.deepEqual([words[at], words[at + 1]], [end, list.blobCount], `tile ${t}, pass ${count}`);
        const entries = words.slice(at + 2, at + 2 + list.blobCount);
        assert.deepEqual(entries, list.blobs.slice(0, list.blobCount));
        blobs.push(...entries);
        at += 2 + list.blobCount;
        count++;
      }
      const all = initShortList(400);
      coarseRasterize(all, bounds, tile, 0, 400);
      assert.ok(all.blobCount > 200 && count > 200 / 32, "hundreds of blobs, several passes");
      assert.deepEqual(Uint32Array.from(blobs), all.blobs.slice(0, all.blobCount));
    }
  });
});
