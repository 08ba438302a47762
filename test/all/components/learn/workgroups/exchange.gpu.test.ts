import assert from "node:assert/strict";
import { describe } from "vitest";
import {
  countStaleReads,
  isBarrierRespected,
  modelExchange,
  modelStaleReads,
  traceExchange,
} from "../../../../../src/components/learn/workgroups/exchange.js";
import { workgroupMemory } from "../../../../../src/components/learn/workgroups/workgroupMemory.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it, shaders } from "../../../../support/gpu.js";

describe("the exchange between threads", () => {
  it("lets each thread write once before any reads, on the GPU and in the model, and read its neighbour's number", async ({
    gpu,
  }) => {
    const traced = await traceExchange(gpu, 16);
    for (const arrivals of [traced, modelExchange(16, uniformGenerator(2))]) {
      assert.equal(arrivals.length, 32);
      assert.ok(isBarrierRespected(arrivals));
      const writers = arrivals.slice(0, 16).map(({ thread }) => thread);
      assert.deepEqual(new Set(writers).size, 16);
      for (const { thread, value } of arrivals.slice(16)) assert.equal(value, ((thread + 1) % 16) + 1);
    }
    assert.ok(!isBarrierRespected([traced[0], traced[20], traced[1]]));
  });

  it("counts no stale reads with the barrier, and those without it by thread", async ({ gpu }) => {
    const [waited, raced] = [await countStaleReads(gpu, 16, 3, true), await countStaleReads(gpu, 16, 3, false)];
    assert.deepEqual([waited.reads, waited.stale], [48, 0]);
    assert.equal(raced.reads, 48);
    assert.equal(
      raced.stale,
      raced.byThread.reduce((a, b) => a + b),
    );
    const modelled = modelStaleReads(16, 100, uniformGenerator(2));
    assert.ok(modelled.stale > 100 && modelled.stale < 800, String(modelled.stale));
  });
});

describe("workgroupMemory", () => {
  it("finds what the tiled pipeline declares, and counts it as WebGPU does", () => {
    const found = workgroupMemory(shaders, "tiled/computeDerivatives.wgsl", {
      GAUSSIANS_PER_BLOCK: 512,
      WORKGROUP_SIZE: 33,
    });
    assert.deepEqual(Object.fromEntries(found.map(({ name, bytes, counted }) => [name, [bytes, counted]])), {
      sh_blobs: [2048, 2048],
      sh_blobCountAtomic: [4, 16],
      sh_blobCount: [4, 16],
      sh_reduction: [132, 144],
    });
  });
});
