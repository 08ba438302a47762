import assert from "node:assert/strict";
import { describe, vi } from "vitest";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { measurePeak } from "../../../src/engine/gpu/peak.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { initialState } from "../../../src/engine/training/initialState.js";
import { backendOn, it, withGpu } from "../../support/gpu.js";
import { scene } from "../../support/scenes.js";

describe("measurePeak()", () => {
  /** Measures with a clock that advances by so many milliseconds per submit. */
  async function measureBy(milliseconds: number, gpu: Gpu) {
    const submit = vi.spyOn(gpu.device.queue, "submit");
    const now = vi.spyOn(performance, "now").mockImplementation(() => milliseconds * submit.mock.calls.length);
    try {
      return await measurePeak(gpu);
    } finally {
      now.mockRestore();
    }
  }

  it("divides the multiply-adds and the bytes of its kernels by their time, and frees its buffers", async () => {
    await withGpu({ features: [] }, async (gpu) => {
      // A round of 2^20 threads with 16 chains of 8 links, or of 2^24 bytes read and written.
      const roundsPerSecond = 1000 / 40;
      assert.deepEqual(await measureBy(40, gpu), {
        multiplyAddsPerSecond: roundsPerSecond * 2 ** 20 * 16 * 8,
        bytesPerSecond: roundsPerSecond * 2 * 2 ** 24,
      });
      assert.equal(gpu.liveBuffers, 0);
    });
  });

  it("uses the adapter's clock if it has one", async () => {
    await withGpu({ features: ["timestamp-query"] }, async (gpu) => {
      const { multiplyAddsPerSecond, bytesPerSecond } = await measureBy(1e9, gpu);
      assert.ok(multiplyAddsPerSecond > 1e7 && bytesPerSecond > 1e7, `${multiplyAddsPerSecond}, ${bytesPerSecond}`);
      assert.equal(gpu.liveBuffers, 0);
    });
  });

  it("reports device errors", async () => {
    await withGpu({}, async (gpu) => {
      const create = gpu.device.createBuffer.bind(gpu.device);
      gpu.device.createBuffer = (descriptor) =>
        create({ ...descriptor, ...(descriptor.label === "ends" && { size: 2 ** 50 }) });
      await assert.rejects(measurePeak(gpu), /^Error: The GPU (reported an error|has too little memory)[^\n]*\.$/);
      assert.equal(gpu.liveBuffers, 0);
    });
  });

  it("counts the operations that its kernels perform: each link of each chain, and each byte", async ({ gpu }) => {
    const [factor, summand, rounds] = [0.9, 0.25, 3];
    const chains = gpu.struct("Chains").encode([{ factor, summand, rounds }]);
    const { ends } = await runKernel(gpu, {
      file: "bench/peak.wgsl",
      constants: { THREADS: 8, LINKS: 8 },
      buffers: { chains, ends: 4 * 8 },
    });
    const decay = factor ** (8 * rounds);
    for (const [thread, end] of new Float32Array(ends).entries()) {
      // Sixteen chains from these starts converge to the same limit.
      const starts = 16e-6 * thread + 4 * (0 + 0.25 + 0.5 + 0.75);
      const expected = decay * starts + (16 * summand * (1 - decay)) / (1 - factor);
      assert.ok(Math.abs(end / expected - 1) < 1e-6, `thread ${thread}: ${end} is not ${expected}`);
    }
    const source = Float32Array.from({ length: 4 * 8 * 4 * 2 }, (_, i) => i + 1);
    const { copied } = await runKernel(gpu, {
      file: "bench/copy.wgsl",
      constants: { THREADS: 8, WORDS: 4 },
      buffers: { source, copied: source.byteLength },
      workgroups: 2,
    });
    assert.deepEqual(new Float32Array(copied), source);
  });
});

describe("a pipeline on a GPU", () => {
  it("times a render: drawing alone with existing lists, otherwise also building them", async ({ gpu }) => {
    const { config, image } = scene({ pipeline: "binned", blobs: 20 }, 32, 24);
    const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
    await pipeline.advance(1);
    // Lists are cached for the next render at that size.
    await pipeline.render({ width: 16, height: 12 });
    const alive = gpu.liveBuffers;
    assert.deepEqual(Object.keys((await pipeline.renderTimes?.({ width: 32, height: 24 })) ?? {}), ["imageMain"]);
    const times = (await pipeline.renderTimes?.({ width: 16, height: 12 })) ?? {};
    assert.deepEqual(Object.keys(times), ["lists", "imageMain"]);
    // The clock is coarse, so short kernels may take no time.
    const all = Object.values(times).reduce((sum, time) => sum + time);
    assert.ok(all > 0 && all < 60_000 && Math.min(...Object.values(times)) >= 0, JSON.stringify(times));
    assert.equal(gpu.liveBuffers, alive, "timing leaks no buffers");
    await pipeline.free();
  });

  it("returns no times if the adapter has no clock", async () => {
    await withGpu({ features: [] }, async (gpu) => {
      const { config, image } = scene({ pipeline: "tiled", blobs: 5 }, 8, 8);
      const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
      assert.equal(await pipeline.renderTimes?.({ width: 8, height: 8 }), undefined);
      await pipeline.free();
    });
  });

  it("reports the bytes of each of its buffers", async ({ gpu }) => {
    const { config, image } = scene({ pipeline: "tiled", blobs: 50 }, 32, 24);
    const pipeline = await backendOn(gpu).open(config, image, initialState(config, image));
    await pipeline.advance(1);
    const bytes = (await pipeline.allocated?.()) ?? {};
    assert.equal(bytes.parameters, 9 * 4 * 50);
    assert.equal(bytes.targetImage, 4 * 32 * 24);
    assert.ok(!("readback" in bytes), "temporary buffers are not counted");
    await pipeline.free();
  });
});
