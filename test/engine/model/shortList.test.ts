import assert from "node:assert/strict";
import { it } from "vitest";
import { bitonicSort, coarseRasterize, initShortList, padBuffer } from "../../../src/engine/model/shortList.js";

// tsc reports an unused @ts-expect-error.
it("the stages of a tile list compile only in order", () => {
  const emptied = initShortList(4);
  const box = { centerX: 0, centerY: 0, axisX: 1, axisY: 0, halfLength: 1, halfWidth: 1 };
  const filled = coarseRasterize(emptied, [box, box], box, 0, 2);
  const padded = padBuffer(filled);
  const sorted = bitonicSort(padded);
  assert.deepEqual([...sorted.blobs.slice(0, 2)], [0, 1]);
  void function outOfOrder() {
    // @ts-expect-error gathering into a list that was not emptied
    coarseRasterize(filled, [], box, 0, 0);
    // @ts-expect-error padding before gathering
    padBuffer(emptied);
    // @ts-expect-error sorting before padding
    bitonicSort(filled);
    // @ts-expect-error sorting twice
    bitonicSort(sorted);
  };
});
