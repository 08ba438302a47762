import assert from "node:assert/strict";
import { dispatchUniform, jobUniform, modelConstants } from "../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { listLengths, recordStride, tileScene } from "../../../src/learn/tiles.js";
import { it } from "../../support/gpu.js";
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
        job: jobUniform(config, image),
        dispatch: dispatchUniform([{ size: image, first: tile, end: tile + 1, step: 1 }], config),
        parameters: state.parameters,
        gathered: 4 * (capacity + 1),
      },
    };
    const { gathered } = await runKernel(gpu, kernel);
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
