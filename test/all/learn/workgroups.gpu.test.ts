import assert from "node:assert/strict";
import { appendOnGpu } from "../../../src/learn/workgroups.js";
import { it } from "../../support/gpu.js";

it("a workgroup appends each thread once, loses sums without atomics only, and may not wait in part", async ({
  gpu,
}) => {
  const { list, sum, atomicSum, message } = await appendOnGpu(gpu, 64);
  assert.deepEqual(
    list.toSorted((a, b) => a - b),
    [...list.keys()],
  );
  assert.equal(atomicSum, 64);
  assert.ok(sum >= 1 && sum < 64, String(sum));
  assert.match(message, /uniform control flow/);
});
