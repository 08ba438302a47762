import assert from "node:assert/strict";
import { afterAll, describe, it } from "vitest";
import type { GpuMemory } from "../../../src/engine/gpu/memory.js";
import { Stopwatch } from "../../../src/engine/gpu/stopwatch.js";

// Constants that WebGPU would define, or has defined.
const { GPUBufferUsage: defined } = globalThis;
Object.assign(globalThis, { GPUBufferUsage: { QUERY_RESOLVE: 0, COPY_SRC: 0 } });
// The next test file may run in the same process.
afterAll(() => Object.assign(globalThis, { GPUBufferUsage: defined }));

const set = {} as GPUQuerySet;

/** Returns a stopwatch that reads these nanoseconds: for each submit, start and end of each kernel. */
function stopwatch(submits: number[][]): Stopwatch {
  const times = new BigUint64Array(32 * submits.length);
  for (const [submit, nanoseconds] of submits.entries()) times.set(nanoseconds.map(BigInt), 32 * submit);
  const memory = { buffer: () => ({}), read: async () => times.buffer, release: () => {} };
  return new Stopwatch(memory as unknown as GpuMemory);
}

describe("Stopwatch", () => {
  it("adds a kernel's time over submits of different workgroups", async () => {
    const watch = stopwatch([
      [1e6, 3e6],
      [5e6, 9e6],
    ]);
    watch.record(set, ["imageMain"], 0);
    watch.record(set, ["imageMain"], 64);
    assert.deepEqual(await watch.stop(), { imageMain: 6 });
  });

  it("takes the later time if the same workgroups run again", async () => {
    const watch = stopwatch([
      [0, 2e6],
      [2e6, 7e6],
    ]);
    watch.record(set, ["lists"], 0);
    watch.record(set, ["lists"], 0);
    assert.deepEqual(await watch.stop(), { lists: 5 });
  });

  it("returns undefined if there was more to time than its capacity", async () => {
    const watch = stopwatch([[0, 1e6]]);
    watch.record(set, new Array(17).fill("imageMain"), 0);
    assert.equal(await watch.stop(), undefined);
  });
});
