import assert from "node:assert/strict";
import { traceKernel } from "../../../src/engine/gpu/trace.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../src/engine/gpu/uniforms.js";
import { listLengths, recordStride, tileScene } from "../../../src/learn/tiles.js";
import { it, shaders } from "../../support/gpu.js";
import { scene as jobOf } from "../../support/scenes.js";

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
      file: "learn/gatherTile.wgsl",
      constants: { ...modelConstants(config), TILE_WIDTH: 4, TILE_HEIGHT: 2, GAUSSIANS_PER_BLOCK: capacity },
      buffers: {
        job: jobUniform(shaders, config, image),
        dispatch: dispatchUniform(shaders, [{ size: image, first: tile, end: tile + 1, step: 1 }], config),
        parameters: state.parameters,
        gathered: 4 * (capacity + 1),
      },
    };
    const file = "tiled/coarseRasterize.wgsl";
    const probe = { name: "append", file, at: "sh_blobs[slot] = i;", values: ["localIndex", "i"] };
    const { events, buffers } = await traceKernel(gpu, kernel, [probe], capacity);
    assert.equal(new Uint32Array(buffers.gathered)[0], listed.length);
    const appended = events.map(({ values: [thread, blob] }) => ({ thread, blob })).sort((a, b) => a.blob - b.blob);
    const expected = listed.map(({ thread, blob }) => ({ thread, blob }));
    if (capacity === 64) assert.deepEqual(appended, expected);
    else assert.equal(appended.length, capacity);
  }
});
