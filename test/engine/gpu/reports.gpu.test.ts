import assert from "node:assert/strict";
import { describe } from "vitest";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { backendOn, it, withGpu } from "../../support/gpu.js";
import { scene } from "../../support/scenes.js";

/** For the length of one use a device has no room for buffers of a name: they are invalid, as where memory lacks. */
async function withoutRoom<T>({ device }: Gpu, label: string, use: () => Promise<T>): Promise<T> {
  const create = device.createBuffer.bind(device);
  device.createBuffer = (wanted) => create({ ...wanted, ...(wanted.label === label && { size: 2 ** 50 }) });
  try {
    return await use();
  } finally {
    device.createBuffer = create;
  }
}

describe("what a device reports", () => {
  it("while it draws ends that call with a sentence, and no call that comes later", async () => {
    await withGpu({}, async (gpu) => {
      for (const pipeline of ["tiled", "binned"] as const) {
        const { config, image } = scene({ pipeline, blobs: 6, steps: 4 }, 16, 16);
        const opened = await backendOn(gpu).open(config, image);
        const size = { width: 40, height: 24 };
        const expected = await opened.render(size);
        assert.ok(expected.data.some((value) => value !== 0));
        for (const label of ["render", "readback"]) {
          const refused = withoutRoom(gpu, label, () => opened.render(size));
          await assert.rejects(refused, ({ message }: Error) => {
            assert.match(message, /^The GPU (refused its work|has too little memory)[^\n]*\.$/, pipeline);
            return true;
          });
        }
        assert.deepEqual(await opened.render(size), expected);
        assert.equal(await opened.advance(2), 2);
        await opened.free();
        assert.equal(gpu.liveBuffers, 0);
      }
    });
  });

  it("ends the calls of the pipeline or kernel that caused it, and none of another one on the same device", async () => {
    await withGpu({}, async (gpu) => {
      const { config, image } = scene({ pipeline: "binned", blobs: 6, steps: 30 }, 16, 16);
      const open = () => backendOn(gpu).open(config, image);
      const untouched = await open();
      await untouched.advance(20);
      const expected = await untouched.state();
      await untouched.free();

      const [other, refused] = [await open(), await open()];
      const size = { width: 40, height: 24 };
      const kernel = { file: "learn/exchangeValues.wgsl", buffers: { neighbours: 2 ** 50 } };
      const failing = withoutRoom(gpu, "render", () =>
        Promise.allSettled([refused.render(size), runKernel(gpu, kernel), withoutRoom(gpu, "gradients", open)]),
      );
      for (let step = 0; step < 20; step++) {
        assert.equal(await other.advance(1), 1);
        await other.statistics();
      }
      for (const result of await failing) {
        assert.ok(result.status === "rejected");
        assert.match(result.reason.message, /^The GPU (refused its work|has too little memory)[^\n]*\.$/);
      }
      assert.deepEqual(await other.state(), expected);
      assert.equal(await refused.advance(2), 2);
      await Promise.all([other.free(), refused.free()]);
      assert.equal(gpu.liveBuffers, 0);
    });
  });
});
