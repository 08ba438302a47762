import assert from "node:assert/strict";
import { describe, vi } from "vitest";
import { ConfigError } from "../../../../src/engine/config.js";
import { BinnedPipeline } from "../../../../src/engine/gpu/binned/pipeline.js";
import { checkOnGpu } from "../../../../src/engine/gpu/checkOnGpu.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { backendOn, it } from "../../../support/gpu.js";
import { limitsOf } from "../../../support/limits.js";
import { directScene, scene } from "../../../support/scenes.js";

/** Returns the bytes of the buffers that a function creates on a device, by name. */
async function allocatedBy(gpu: Gpu, work: () => Promise<unknown>): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  const { device } = gpu;
  const createBuffer = device.createBuffer.bind(device);
  const spy = vi.spyOn(device, "createBuffer").mockImplementation((descriptor) => {
    const { label = "", size } = descriptor;
    bytes.set(label, (bytes.get(label) ?? 0) + size);
    return createBuffer(descriptor);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return bytes;
}

/** Buffers of training. */
const ofTraining = ["gradients", "firstMoments", "secondMoments", "slots", "summaries", "pixels"];
/** Buffers of training that the drawing kernel binds too, with minimal size. */
const bound = ["segmentStates", "tileStatistics", "targetImage"];

const at = { width: 31, height: 50 };

describe("Backend.draw()", () => {
  for (const pipeline of ["simple", "tiled", "binned"] as const) {
    it(`renders as the ${pipeline} pipeline does, bit for bit, without the buffers of training`, async ({ gpu }) => {
      const { config, image, state } = scene({ pipeline, blobs: 50 }, 40, 24);
      const backend = backendOn(gpu);
      const { liveBuffers: buffersAlive } = gpu;
      const open = await backend.open(config, image, state);
      const expected = await open.render(at);
      await open.free();
      const job = { config, size: image, parameters: state.parameters, renderSize: at };
      const allocated = await allocatedBy(gpu, async () => {
        const { width, height, data } = await backend.draw(job);
        assert.deepEqual({ width, height, data }, { ...at, data: expected.data });
      });
      assert.equal(allocated.get("parameters"), state.parameters.byteLength);
      assert.deepEqual(
        ofTraining.filter((name) => allocated.has(name)),
        [],
      );
      for (const name of bound) assert.ok((allocated.get(name) ?? 0) <= 16, name);
      assert.equal(gpu.liveBuffers, buffersAlive);
    });
  }

  it("draws a job that is too large to train", async ({ gpu }) => {
    const { config, image, state } = directScene({ pipeline: "binned", blobs: 500 }, 160, 8);
    const narrow = limitsOf(100_000);
    assert.throws(() => checkOnGpu(config, image, narrow), ConfigError);
    checkOnGpu(config, image, narrow, false);
    const pipeline = await BinnedPipeline.open(gpu, { config, image, state });
    const { data } = await pipeline.render(image);
    await pipeline.free();
    const job = { config, image, state, draws: true };
    const allocated = await allocatedBy(gpu, async () => {
      const renderer = await BinnedPipeline.open(gpu, job, { limits: narrow, gathers: false });
      const drawn = await renderer.render(image);
      assert.ok(drawn.data.every((value, i) => Math.abs(value - data[i]) < 1e-5));
      await renderer.free();
    });
    const bytes = ["list", "intersections", "parameters", "pixelBlobs"].map((name) => allocated.get(name)!);
    assert.ok(Math.max(...bytes) <= 100_000, `${bytes} bytes`);
  });
});
