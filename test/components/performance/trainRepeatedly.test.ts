import assert from "node:assert/strict";
import { it } from "vitest";
import { compare } from "../../../src/components/performance/trainRepeatedly.js";

it("compare() counts the numbers whose bits differ, and the bits", () => {
  const a = Float32Array.of(1, 2, 0, 3);
  assert.deepEqual(compare(a, a.slice()), { parameters: 0, bits: 0 });
  // −0 is not the same bits as 0, and the sign of −1 is one bit.
  assert.deepEqual(compare(a, Float32Array.of(-1, 2, -0, 3)), { parameters: 2, bits: 2 });
});
