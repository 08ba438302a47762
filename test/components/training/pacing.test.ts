import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { pauseAfter } from "../../../src/components/training/pacing.js";

describe("restAfter()", () => {
  it("keeps cheap work to its share of the time, and to its interval", () => {
    assert.equal(pauseAfter(0.5, 200, 100), 200);
    assert.equal(pauseAfter(5, 200, 100), 495);
  });

  it("repeats work once a second however long a busy machine takes for it, in half of the time at most", () => {
    for (const cost of [20, 100, 300]) {
      const rest = pauseAfter(cost, 200, 100);
      assert.ok(cost + rest <= 600 && rest >= cost, `${cost} ms, then a rest of ${rest} ms`);
    }
    assert.equal(pauseAfter(700, 200, 100), 700);
    assert.equal(pauseAfter(3000, 200, 100), 3000);
  });
});
