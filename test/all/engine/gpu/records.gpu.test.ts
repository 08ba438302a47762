import assert from "node:assert/strict";
import { describe } from "vitest";
import { GpuMemory } from "../../../../src/engine/gpu/memory.js";
import { Records } from "../../../../src/engine/gpu/records.js";
import { it } from "../../../support/gpu.js";

describe("Records", () => {
  it("return every row in order, also if the buffer fills several times before they are read", async ({ gpu }) => {
    const memory = new GpuMemory(gpu);
    const [pixels, tiles] = [4, 2];
    const records = new Records(memory, 3, pixels, tiles);
    const rowBytes = records.buffer.size / 1024;
    // The first value of each of a row's three partial sums is the squared error.
    const write = (row: number, error: number) => {
      for (let k = 0; k < 3; k++) {
        const at = rowBytes * row + (rowBytes / 3) * k;
        gpu.device.queue.writeBuffer(records.buffer, at, new Float32Array([k * error]));
      }
    };
    for (let step = 1; step <= 2600; step++) {
      records.reserve(1);
      write(records.add(step), 8 * step);
    }
    write(0, 1);
    records.discard(2500);
    const [{ loss: first }, taken] = await Promise.all([records.first(), records.take()]);
    assert.equal(first, 3 / pixels);
    assert.equal(taken.length, 2500);
    for (const [at, { step, loss }] of taken.entries()) assert.deepEqual([step, loss], [at + 1, 6 * (at + 1)]);
    assert.deepEqual(await records.take(), []);
    memory.free();
  });
});
