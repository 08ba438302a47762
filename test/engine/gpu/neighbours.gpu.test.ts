import assert from "node:assert/strict";
import { describe } from "vitest";
import { lanesFollowThreads } from "../../../src/engine/gpu/neighbours.js";
import { it, shaders } from "../../support/gpu.js";

describe("lanesFollowThreads()", () => {
  const file = "bench/neighbours.wgsl";
  const edited = (from: string, to: string) => new Map([...shaders, [file, shaders.get(file)!.replaceAll(from, to)]]);

  it("is true where each thread exchanges values with its neighbours, and false where lanes are in another order", async ({
    gpu,
  }) => {
    assert.equal(await lanesFollowThreads(gpu.device, shaders), true);
    // Threads 0 and 1 of a workgroup are far apart where threads take lanes in another order.
    const permuted = edited("subgroupShuffleXor(localIndex,", "subgroupShuffleXor(localIndex * 5u % 32u,");
    assert.equal(await lanesFollowThreads(gpu.device, permuted), false);
    const mirrored = edited(", 2u)", ", 3u)");
    assert.equal(await lanesFollowThreads(gpu.device, mirrored), false);
  });
});
