import assert from "node:assert/strict";
import { dispatchUniform, jobUniform, modelConstants } from "../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { listLengths, recordStride, tileScene } from "../../../src/learn/tiles.js";
import { it, shaders } from "../../support/gpu.js";
import { scene as jobOf } from "../../support/scenes.js";

/** Gathers one tile's list in the order in which the threads append to it, after the number of all that overlap it. */
const gatherTile = `
#import tiled/coarseRasterize.wgsl
@group(0) @binding(9) var<storage, read_write> gathered: array<u32>;
@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let bounds = tileBounds(threadPlace(dispatch.first, localIndex, dispatch.renderSize).origin, renderMapping());
  let filled = coarseRasterize(initShortList(localIndex), Window(0u, job.blobCount), bounds, localIndex);
  if (localIndex == 0u) {
    gathered[0] = sh_blobCount + filled.token;
  }
  for (var slot = localIndex; slot < min(sh_blobCount, GAUSSIANS_PER_BLOCK); slot += WORKGROUP_SIZE) {
    gathered[1u + slot] = sh_blobs[slot];
  }
}`;

it("threads append the blobs of recordStride() on a GPU, in any order, and count those that do not fit", async ({
  gpu,
}) => {
  const { config, image, state } = jobOf({ blobs: 60, tile: [4, 2], seed: 3 }, 16, 16);
  const scene = tileScene({ name: "noise", config, image, state }, [4, 2]);
  const lengths = listLengths(scene);
  const tile = lengths.indexOf(Math.max(...lengths));
  const listed = recordStride(scene, tile, 8, 60).filter(({ slot }) => slot !== undefined);
  assert.ok(listed.length > 8);
  for (const capacity of [64, 4]) {
    const kernel = {
      file: "gatherTile.wgsl",
      constants: { ...modelConstants(config), TILE_WIDTH: 4, TILE_HEIGHT: 2, GAUSSIANS_PER_BLOCK: capacity },
      buffers: {
        job: jobUniform(config, image),
        dispatch: dispatchUniform([{ size: image, first: tile, end: tile + 1, step: 1 }], config),
        parameters: state.parameters,
        gathered: 4 * (capacity + 1),
      },
    };
    const { gathered } = await runKernel(gpu, kernel, new Map([...shaders, ["gatherTile.wgsl", gatherTile]]));
    const [count, ...slots] = new Uint32Array(gathered);
    assert.equal(count, listed.length);
    const blobs = listed.map(({ blob }) => blob);
    if (capacity === 64)
      assert.deepEqual(
        slots.slice(0, count).sort((a, b) => a - b),
        blobs,
      );
    else assert.ok(slots.every((blob) => blobs.includes(blob)));
  }
});
