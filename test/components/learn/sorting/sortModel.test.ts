import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { randomNumbers, readNumbers } from "../../../../src/components/learn/sorting/numbers.js";
import { networkCost, padNumbers, recordSort } from "../../../../src/components/learn/sorting/sortModel.js";
import { bitonicPasses, bitonicSort, sentinel } from "../../../../src/engine/model/shortList.js";

describe("the record of a sort", () => {
  it("has the passes of the engine's network, and ends with its list", () => {
    for (const given of [2, 13, 100]) {
      const numbers = randomNumbers(given, given);
      const record = recordSort(numbers);
      assert.deepEqual(record.passes, [...bitonicPasses(record.n)]);
      const list = padNumbers(numbers);
      bitonicSort({ blobs: list, blobCount: given });
      const { numbers: end, origins } = record.arrangements.at(-1)!;
      assert.deepEqual(end, list);
      assert.ok(end.slice(given).every((number) => number === sentinel));
      assert.deepEqual(
        end,
        origins.map((place) => padNumbers(numbers)[place]),
      );
      const { passes, comparators } = networkCost(record.n, 32);
      assert.deepEqual([record.passes.length, record.comparators.flat().length], [passes, comparators]);
    }
  });
});

it("readNumbers() accepts numbers separated by commas, spaces and line breaks, and rejects others", () => {
  assert.deepEqual(readNumbers("3, 1\n4294967294; 0"), Uint32Array.of(3, 1, 4294967294, 0));
  for (const [text, words] of [
    ["7", /Give at least 2 numbers/],
    ["1, 2.5", /“2.5” is not/],
    ["1, 4294967295", /“4294967295” is not a whole number from 0 to 4,294,967,294/],
    ["1 ".repeat(1025), /At most 1,024 numbers fit \(got 1,025\)/],
  ] as const) {
    assert.throws(() => readNumbers(text), words);
  }
});
