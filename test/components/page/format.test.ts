import assert from "node:assert/strict";
import { it } from "vitest";
import { rate } from "../../../src/components/page/format.js";

it("rate() writes no exponents, and two digits of small rates", () => {
  assert.deepEqual([0.0123, 1, 9.97, 99.4, 99.7, 100.4, 4553.2].map(rate), [
    "0.012",
    "1.0",
    "10",
    "99",
    "100",
    "100",
    "4,553",
  ]);
});
