import assert from "node:assert/strict";
import { it } from "vitest";
import { bitonicPasses, bitonicSort, padBuffer } from "../../src/engine/model/shortList.js";
import { describePass, numberPattern, readNumbers, recordSort } from "../../src/learn/sorting.js";

it("recordSort() has the passes of the engine's network, the numbers after each, and the engine's list at the end", () => {
  const input = [10, 1, 7, 15, 13, 4, 11, 12, 6];
  const list = padBuffer({ blobs: Uint32Array.from([...input, ...Array(7).fill(0)]), blobCount: input.length });
  bitonicSort(list);
  const { places, passes, pairs, numbers, isSorted } = recordSort(input);
  assert.deepEqual([places, isSorted], [16, true]);
  assert.deepEqual(
    passes.map(({ k, j }) => ({ k, j })),
    [...bitonicPasses(16)],
  );
  assert.deepEqual([pairs.length, numbers.length], [passes.length * 8, (passes.length + 1) * 16]);
  const textsAfter = (step: number) => numbers.filter((row) => row.step === step).map(({ text }) => text);
  assert.deepEqual(textsAfter(0), [...input.map(String), ..."∞".repeat(7)]);
  assert.deepEqual(textsAfter(10), [...Array.from(list.blobs.subarray(0, 9), String), ..."∞".repeat(7)]);
  for (const { step, from, to, swapped } of pairs) {
    const at = (time: number, place: number) => numbers[time * 16 + place];
    assert.ok(at(step, from).number <= at(step, to).number, `pass ${step}`);
    assert.equal(at(step, to).isMoved, swapped);
  }
});

it("recordSort() without a pass does not sort, and describePass() says so", () => {
  const sort = recordSort([1, 0, 1, 1, 0, 0, 0, 1], ({ k, j }) => !(k === 4 && j === 2));
  assert.equal(sort.isSorted, false);
  assert.match(describePass(sort, 5), /^Pass 5 of 5: k = 8, j = 1; \d of 4 pairs swap, \d+ so far\. Not sorted\.$/);
});

it("the field of numbers accepts as many as it says", () => {
  const accepts = (text: string) => new RegExp(`^${numberPattern(2, 4)}$`).test(text);
  assert.deepEqual(["5", "5 13", "5, 13 99 1", "1 2 3 4 5", "1 100"].map(accepts), [false, true, true, false, false]);
  assert.deepEqual(readNumbers("5, 13 99"), [5, 13, 99]);
});
