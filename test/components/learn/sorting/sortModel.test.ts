import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { randomNumbers, readNumbers } from "../../../../src/components/learn/sorting/numbers.js";
import {
  arrangementAt,
  networkCost,
  padNumbers,
  progressAt,
  recordSort,
  serialComparisons,
  stepCount,
  stepOfPass,
  swapsSoFar,
} from "../../../../src/components/learn/sorting/sortModel.js";
import { bitonicPasses, bitonicSort, sentinel } from "../../../../src/engine/model/shortList.js";

describe("the record of a sort", () => {
  for (const given of [2, 3, 8, 13, 16, 100, 1024]) {
    it(`has the passes of the engine's network and ends with its list, for ${given} numbers`, () => {
      const numbers = randomNumbers(given, given);
      const record = recordSort(numbers);
      assert.deepEqual(record.passes, [...bitonicPasses(record.n)]);
      const list = padNumbers(numbers);
      bitonicSort({ blobs: list, blobCount: given });
      const { numbers: end, origins } = record.arrangements.at(-1)!;
      assert.deepEqual(end, list);
      assert.deepEqual(end.slice(0, given), numbers.slice().sort());
      assert.ok(end.slice(given).every((number) => number === sentinel));
      assert.deepEqual(
        end,
        origins.map((place) => padNumbers(numbers)[place]),
      );
      const { passes, comparators, iterations } = networkCost(record.n, 32);
      const log = Math.log2(record.n);
      assert.equal(passes, (log * (log + 1)) / 2);
      assert.equal(iterations, passes * Math.max(1, record.n / 32));
      assert.equal(record.comparators.flat().length, comparators);
    });
  }

  it("has every place once in each pass, and the pairs and directions of the bits", () => {
    for (const [pass, comparators] of recordSort(new Uint32Array(32)).comparators.entries()) {
      const { k, j } = [...bitonicPasses(32)][pass];
      const places = comparators.flatMap(({ i, l }) => [i, l]).sort((a, b) => a - b);
      assert.deepEqual(places, [...Array(32).keys()]);
      for (const { i, l, ascending } of comparators) {
        assert.equal(l, i + j);
        assert.equal(ascending, Math.floor(i / k) % 2 === 0);
      }
    }
  });

  it("steps from the input to the sorted list, one comparator or barrier at a time or pass by pass", () => {
    const record = recordSort(randomNumbers(16, 4));
    assert.deepEqual([stepCount(record, "pass"), stepCount(record, "comparator")], [11, 91]);
    for (const by of ["pass", "comparator"] as const) {
      const moments = Array.from({ length: stepCount(record, by) }, (_, step) => progressAt(record, by, step));
      assert.deepEqual(arrangementAt(record, moments[0]), record.arrangements[0]);
      assert.deepEqual(arrangementAt(record, moments.at(-1)!), record.arrangements[10]);
      for (const pass of record.passes.keys()) {
        const step = stepOfPass(record, by, pass);
        assert.deepEqual(moments[step], { by, step, pass, done: 8, atBarrier: true });
        assert.deepEqual(arrangementAt(record, moments[step]), record.arrangements[pass + 1]);
      }
    }
    for (let step = 1; step < 91; step++) {
      const moment = progressAt(record, "comparator", step);
      const before = progressAt(record, "comparator", step - 1);
      const changed = arrangementAt(record, moment).numbers.filter(
        (number, place) => number !== arrangementAt(record, before).numbers[place],
      ).length;
      assert.equal(changed, 2 * (swapsSoFar(record, moment) - swapsSoFar(record, before)));
      assert.ok(!moment.atBarrier || changed === 0, "nothing moves at a barrier");
    }
  });

  it("counts the comparisons of a serial sort: n − 1 for sorted numbers, about n log n for others", () => {
    const numbers = randomNumbers(256, 2);
    assert.equal(serialComparisons(numbers.slice().sort()), 255);
    const mixed = serialComparisons(numbers);
    assert.ok(mixed > 255 && mixed < 256 * 8 * 1.1, `${mixed}`);
    assert.ok(mixed < networkCost(256).comparators);
  });
});

describe("readNumbers", () => {
  it("accepts numbers separated by commas, spaces and line breaks", () => {
    assert.deepEqual(readNumbers("3, 1\n4294967294; 0"), Uint32Array.of(3, 1, 4294967294, 0));
  });

  for (const [text, words] of [
    ["7", /Give at least 2 numbers/],
    ["1, -3", /“-3” is not a whole number/],
    ["1, 2.5", /“2.5” is not/],
    ["1, 4294967295", /“4294967295” is not a whole number from 0 to 4,294,967,294/],
    ["1 ".repeat(1025), /At most 1,024 numbers fit \(got 1,025\)/],
  ] as const) {
    it(`rejects ${text.slice(0, 20)} with an error`, () => {
      assert.throws(() => readNumbers(text), words);
    });
  }
});
