import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { mergeBlocks, mergeCuts, recordMerge } from "../../../../src/components/learn/sorting/mergeModel.js";
import { zeroOneCheck, zeroOneVerdict } from "../../../../src/components/learn/sorting/networkModel.js";
import { bitonicPasses, bitonicSort } from "../../../../src/engine/model/shortList.js";

/** Returns the last progress of a check. */
function checked(n: number, without?: number) {
  return [...zeroOneCheck(n, without)].at(-1)!;
}

describe("the network", () => {
  it("does not sort them all if any pass is left out", () => {
    const passes = [...bitonicPasses(8)];
    for (const pass of passes.keys()) {
      const { tried, sorted, failure } = checked(8, pass);
      assert.equal(tried, 256);
      const network = passes.filter((_, index) => index !== pass);
      const unsorted = Array.from({ length: 256 }, (_, bits) =>
        Uint32Array.from({ length: 8 }, (_, place) => Math.floor(bits / 2 ** place) % 2),
      ).filter((list) => {
        const left = list.slice();
        bitonicSort({ blobs: left, blobCount: 8 }, network);
        return left.join() !== list.toSorted().join();
      });
      assert.ok(unsorted.length > 0, `without pass ${pass}`);
      assert.deepEqual([sorted, failure], [256 - unsorted.length, unsorted[0]], `without pass ${pass}`);
      assert.match(zeroOneVerdict(checked(8, pass)), new RegExp(`not a sorting network.*${unsorted[0].join(" ")}\\.$`));
    }
  });
});

describe("the merge", () => {
  it("cuts a bitonic list into bitonic halves, nothing below greater than anything above, until it is sorted", () => {
    for (const list of [
      [2, 4, 6, 8, 7, 5, 3, 1],
      [5, 3, 1, 2, 4, 6, 8, 7],
      [9, 9, 2, 2, 2, 4, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9],
      [1, 0],
    ]) {
      const record = recordMerge(Uint32Array.from(list));
      assert.equal(record.passes.length, Math.log2(list.length));
      for (let done = 0; done <= record.passes.length; done++) {
        assert.equal(mergeBlocks(record, done).length, 2 ** done);
        assert.ok(mergeBlocks(record, done).every(({ isBitonic }) => isBitonic));
        assert.equal(mergeCuts(record, done).length, done > 0 ? 2 ** (done - 1) : 0);
        assert.ok(mergeCuts(record, done).every(({ greatestBelow, leastAbove }) => greatestBelow <= leastAbove));
      }
      assert.deepEqual(
        [...record.arrangements.at(-1)!.numbers],
        list.toSorted((a, b) => a - b),
      );
    }
  });
});
