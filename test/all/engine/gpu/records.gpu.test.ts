import assert from "node:assert/strict";
import { describe } from "vitest";
import { GpuMemory } from "../../../../src/engine/gpu/memory.js";
import { Records } from "../../../../src/engine/gpu/records.js";
import { dispatchUniform, jobUniform } from "../../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../../src/engine/gpu/workbench.js";
import { gradientNorms, tileListStatistics } from "../../../../src/engine/statistics.js";
import { it } from "../../../support/gpu.js";
import { scene } from "../../../support/scenes.js";

describe("shared/summarize.wgsl", () => {
  it("writes partial sums to a row that add up to the reference's statistics", async ({ gpu }) => {
    const { config, image } = scene({ blobs: 700 });
    const [partialSums, row, tiles] = [3, 2, 1000];
    const gradients = Float32Array.from({ length: 9 * config.blobs }, (_, i) => Math.sin(i));
    const lengths = Uint32Array.from({ length: tiles }, (_, tile) => (7 * tile) % 300);
    const passes = lengths.map((length) => Math.ceil(length / 64));
    const statistics = new Uint32Array(3 * tiles);
    for (let tile = 0; tile < tiles; tile++) {
      new Float32Array(statistics.buffer)[3 * tile] = tile / 8;
      statistics.set([lengths[tile], passes[tile]], 3 * tile + 1);
    }
    const memory = new GpuMemory(gpu);
    const records = new Records(memory, partialSums, 10, tiles);
    const range = { size: image, first: row, end: row + 1, step: 1 };
    const left = await runKernel(gpu, {
      file: "shared/summarize.wgsl",
      constants: { PARTIAL_SUMS: partialSums },
      workgroups: records.workgroups,
      buffers: {
        job: jobUniform(gpu.shaders, config, image),
        dispatch: dispatchUniform(gpu.shaders, [range], config),
        gradients,
        tileStatistics: statistics,
        summaries: records.buffer.size,
      },
    });
    while (records.add(5) < row);
    gpu.device.queue.writeBuffer(records.buffer, 0, left.summaries);
    const record = (await records.take()).at(-1)!;
    memory.free();
    const close = (actual: number, expected: number) => assert.ok(Math.abs(actual / expected - 1) < 1e-6);
    close(record.loss, (tiles * (tiles - 1)) / 2 / 8 / 10);
    const { mean, ...counts } = tileListStatistics({ size: [8, 4], across: 50, down: 20, lengths, passes });
    close(record.tileLists.mean, mean);
    assert.deepEqual({ ...record.tileLists, mean: 0 }, { ...counts, mean: 0 });
    for (const [group, norm] of Object.entries(gradientNorms(gradients))) {
      close(record.gradientNorms[group as keyof typeof record.gradientNorms], norm);
    }
  });
});

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
