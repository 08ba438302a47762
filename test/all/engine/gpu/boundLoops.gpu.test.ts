import assert from "node:assert/strict";
import { describe } from "vitest";
import { EndlessLoopError } from "../../../../src/engine/gpu/boundLoops.js";
import { withCustomKernels } from "../../../../src/engine/gpu/customKernels.js";
import type { Pipeline } from "../../../../src/engine/pipeline.js";
import { it, shaders } from "../../../support/gpu.js";
import { scene } from "../../../support/scenes.js";

/** Returns what a job computes. */
async function resultsOf(pipeline: Pipeline) {
  await pipeline.advance(1);
  const { stageTimes: _, ...statistics } = await pipeline.statistics();
  const results = { state: await pipeline.state(), render: await pipeline.render({ width: 4, height: 4 }), statistics };
  await pipeline.free();
  return results;
}

/** Lines in functions that run for every pixel of a pipeline. */
const file = "shared/blend.wgsl";
const places = {
  simple: "  return PixelState(alphaBlend",
  tiled: "  return PixelState(alphaBlend",
  binned: "  return vec4f(pixel.rgb + ",
};

describe("a kernel with bounded loops", () => {
  for (const [pipeline, place] of Object.entries(places)) {
    // One tile, so that atomic sums have a single order, with more blobs than fit its list.
    const gaussiansPerBlock = pipeline === "tiled" ? 4 : "auto";
    const { config, image, state } = scene({ blobs: 6, tile: "4x4", gaussiansPerBlock, pipeline }, 4, 4);

    it(`computes the same bits as without bounds, and ends and reports an endless loop, in ${pipeline}`, async ({
      backend,
    }) => {
      // More iterations than any shipped kernel takes here.
      const maxIterations = 4096;
      const bounded = await resultsOf(await backend.open(config, image, state, shaders, maxIterations));
      const text = shaders.get(file)!;
      assert.ok(text.includes(place));
      const line = text.slice(0, text.indexOf(place)).split("\n").length;
      const loop = "  var n = 0u; while (pixel_is_there(n)) { n ^= 1u; }";
      const edited = `${text.replace(place, `${loop}${place}`)}\nfn pixel_is_there(n: u32) -> bool { return n < 2u; }\n`;
      const trial = withCustomKernels(backend, new Map(shaders).set(file, edited), maxIterations);
      const tried = await trial.open(config, image, state);
      await assert.rejects(tried.advance(2), (error) => {
        assert.ok(error instanceof EndlessLoopError, String(error));
        assert.deepEqual(error.loops[0], { file, line });
        return true;
      });
      await tried.free();
      // The device still works.
      assert.deepEqual(await resultsOf(await backend.open(config, image, state)), bounded);
    });
  }
});
