import assert from "node:assert/strict";
import { describe } from "vitest";
import { measurePeak } from "../../../src/engine/gpu/peak.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { backendOn, it, withGpu } from "../../support/gpu.js";
import { scene } from "../../support/scenes.js";

describe("measurePeak()", () => {
  it("finds rates that a machine can have, by the adapter's clock and without it, and frees what it held", async () => {
    for (const features of [["timestamp-query"], []] as GPUFeatureName[][]) {
      await withGpu({ features }, async (gpu) => {
        const { multiplyAddsPerSecond, bytesPerSecond } = await measurePeak(gpu);
        assert.ok(multiplyAddsPerSecond > 1e7 && multiplyAddsPerSecond < 1e15, String(multiplyAddsPerSecond));
        assert.ok(bytesPerSecond > 1e7 && bytesPerSecond < 1e14, String(bytesPerSecond));
        assert.equal(gpu.buffersAlive, 0);
      });
    }
  });
});

describe("a pipeline on a GPU", () => {
  it("times a render: what draws where lists stand, and building them where they do not", async ({ gpu }) => {
    const { config, image } = scene({ pipeline: "binned", blobs: 20 }, 32, 24);
    const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
    await pipeline.advance(1);
    // A view's lists are kept for the next view of that size.
    await pipeline.render({ width: 16, height: 12 });
    const alive = gpu.buffersAlive;
    assert.deepEqual(Object.keys((await pipeline.renderTimes?.({ width: 32, height: 24 })) ?? {}), ["imageMain"]);
    const times = (await pipeline.renderTimes?.({ width: 16, height: 12 })) ?? {};
    assert.deepEqual(Object.keys(times), ["lists", "imageMain"]);
    // The clock is coarse, so that short kernels may take no time at all.
    const all = Object.values(times).reduce((sum, time) => sum + time);
    assert.ok(all > 0 && all < 60_000 && Math.min(...Object.values(times)) >= 0, JSON.stringify(times));
    assert.equal(gpu.buffersAlive, alive, "the timing leaves nothing behind");
    await pipeline.free();
  });

  it("tells no times where the adapter has no clock", async () => {
    await withGpu({ features: [] }, async (gpu) => {
      const { config, image } = scene({ pipeline: "tiled", blobs: 5 }, 8, 8);
      const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
      assert.equal(await pipeline.renderTimes?.({ width: 8, height: 8 }), undefined);
      await pipeline.free();
    });
  });

  it("tells the bytes of each buffer that it holds", async ({ gpu }) => {
    const { config, image } = scene({ pipeline: "tiled", blobs: 50 }, 32, 24);
    const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
    await pipeline.advance(1);
    const bytes = (await pipeline.allocated?.()) ?? {};
    assert.equal(bytes.parameters, 9 * 4 * 50);
    assert.equal(bytes.targetImage, 4 * 32 * 24);
    assert.ok(!("readback" in bytes), "what is only passing is not counted");
    await pipeline.free();
  });
});
