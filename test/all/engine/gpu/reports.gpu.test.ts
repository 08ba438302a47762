import assert from "node:assert/strict";
import { describe } from "vitest";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { runKernel } from "../../../../src/engine/gpu/workbench.js";
import { backendOn, it, withGpu } from "../../../support/gpu.js";
import { scene } from "../../../support/scenes.js";

/** Makes allocations of buffers with a label fail while a function runs. */
async function withoutMemory<T>({ device }: Gpu, label: string, use: () => Promise<T>): Promise<T> {
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => create({ ...descriptor, ...(descriptor.label === label && { size: 2 ** 50 }) });
  try {
    return await use();
  } finally {
    device.createBuffer = create;
  }
}

describe("a device error", () => {
  it("rejects calls of the pipeline or kernel that caused it, and none of others on the same device", async () => {
    await withGpu({}, async (gpu) => {
      const { config, image } = scene({ pipeline: "binned", blobs: 6, steps: 30 }, 16, 16);
      const open = () => backendOn(gpu).open(config, image);
      const untouched = await open();
      await untouched.advance(5);
      const expected = await untouched.state();
      await untouched.free();

      const [other, refused] = [await open(), await open()];
      const size = { width: 40, height: 24 };
      const kernel = { file: "learn/appendThreads.wgsl", buffers: { found: 2 ** 50 } };
      const failing = withoutMemory(gpu, "render", () =>
        Promise.allSettled([refused.render(size), runKernel(gpu, kernel), withoutMemory(gpu, "gradients", open)]),
      );
      for (let step = 0; step < 5; step++) {
        assert.equal(await other.advance(1), 1);
        await other.statistics();
      }
      for (const result of await failing) {
        assert.ok(result.status === "rejected");
        assert.match(result.reason.message, /^The GPU (reported an error|has too little memory)[^\n]*\.$/);
      }
      assert.deepEqual(await other.state(), expected);
      assert.equal(await refused.advance(2), 2);
      await Promise.all([other.free(), refused.free()]);
      assert.equal(gpu.liveBuffers, 0);
    });
  });
});
