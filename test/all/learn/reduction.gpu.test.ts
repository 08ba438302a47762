import assert from "node:assert/strict";
import { uniformGenerator } from "../../../src/engine/random.js";
import { measureSums, recordReduction, sumOnGpu } from "../../../src/learn/reduction.js";
import { it } from "../../support/gpu.js";

const random = uniformGenerator(4);

it("the kernel clamps and reduces a tile to the bits of the chapter's model", async ({ gpu }) => {
  for (const threads of [16, 11]) {
    const given = Float32Array.from({ length: threads }, () => 30 * random() - 15);
    assert.deepEqual(await sumOnGpu(gpu, given, threads, 1), [recordReduction([...given], 10).sum]);
  }
});

it("tiles that add to one word lose no sum in any run", async ({ gpu }) => {
  const terms = Float32Array.from({ length: 64 }, () => 2 * random() - 1);
  const rows = measureSums(terms, await sumOnGpu(gpu, terms, 1, 40));
  assert.equal(rows.length, 40);
  assert.ok(rows.every(({ units }) => Math.abs(units) < 100));
});
