import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { rowOrder } from "../../../src/components/tables/rowOrder.js";
import { uniformGenerator } from "../../../src/engine/random.js";

describe("rowOrder()", () => {
  it("sorts with ties in ascending order and NaN last", () => {
    const values = Float32Array.of(3, Number.NaN, -1, 3, -0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
    assert.deepEqual([...rowOrder(values, false)], [7, 2, 4, 5, 0, 3, 6, 1]);
    assert.deepEqual([...rowOrder(values, true)], [6, 0, 3, 4, 5, 2, 7, 1]);
  });

  it("agrees with a comparison sort, even for negative NaNs, tiny and huge numbers", () => {
    const random = uniformGenerator(3);
    const values = new Float32Array(Uint32Array.from({ length: 5000 }, () => random() * 2 ** 32).buffer);
    const rank = (value: number) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);
    for (const sign of [1, -1]) {
      const compared = [...values.keys()].sort((a, b) => {
        const [x, y] = [rank(sign * values[a]), rank(sign * values[b])];
        return x < y ? -1 : x > y ? 1 : a - b;
      });
      const finite = (order: Iterable<number>) => [...order].filter((row) => !Number.isNaN(values[row]));
      const order = rowOrder(values, sign < 0);
      assert.deepEqual(finite(order), finite(compared));
      assert.deepEqual(
        [...order].slice(finite(order).length).sort((a, b) => a - b),
        [...values.keys()].filter((row) => Number.isNaN(values[row])),
      );
    }
  });
});
