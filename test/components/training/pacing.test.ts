import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { pauseAfter } from "../../../src/components/training/pacing.js";

describe("pauseAfter()", () => {
  it("limits cheap work to its fraction of the time, and to its interval", () => {
    assert.equal(pauseAfter(0.5, 200, 100), 200);
    assert.equal(pauseAfter(5, 200, 100), 495);
  });

  it("repeats work once per second on a busy machine, in at most half of the time", () => {
    for (const cost of [20, 100, 300]) {
      const rest = pauseAfter(cost, 200, 100);
      assert.ok(cost + rest <= 600 && rest >= cost, `${cost} ms, then a rest of ${rest} ms`);
    }
    assert.equal(pauseAfter(700, 200, 100), 700);
    assert.equal(pauseAfter(3000, 200, 100), 3000);
  });
});
