import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodedColumns, rawColumns, sortedRows } from "../../src/components/blobColumns.js";
import { parameterCount } from "../../src/engine/blobs.js";
import { defaults } from "../../src/engine/config.js";
import { modelOf, smoothstep } from "../../src/engine/cpu/blob.js";

describe("sortedRows()", () => {
  const slots = new Float32Array(4 * parameterCount);
  slots.set([3, Number.NaN, -1, 3], 4 * 2);
  const columns = rawColumns(slots);

  it("sorts by a column, ties in blob order, and puts what is no number last", () => {
    assert.deepEqual([...sortedRows(columns, 2, false)], [2, 0, 3, 1]);
    assert.deepEqual([...sortedRows(columns, 2, true)], [0, 3, 2, 1]);
  });

  it("keeps or turns round the order of the blobs", () => {
    assert.deepEqual([...sortedRows(columns, -1, false)], [0, 1, 2, 3]);
    assert.deepEqual([...sortedRows(columns, -1, true)], [3, 2, 1, 0]);
  });
});

describe("decodedColumns()", () => {
  it("decodes each parameter of each blob", () => {
    const slots = Float32Array.from({ length: 2 * parameterCount }, (_, i) => i / 20);
    const { rows, value } = decodedColumns(slots, modelOf(defaults, { width: 9, height: 7 }));
    assert.equal(rows, 2);
    assert.equal(value(1, 1), Math.fround(smoothstep(slots[3])));
    assert.equal(value(5, 0), Math.fround(smoothstep(0.8 * slots[10])));
  });
});
