import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { restAfter } from "../../../src/components/training/pacing.js";

describe("restAfter()", () => {
  it("keeps cheap work to its share of the time, and to its interval", () => {
    assert.equal(restAfter(0.5, 200, 100), 200);
    assert.equal(restAfter(5, 200, 100), 495);
  });

  it("repeats work once a second however long a busy machine takes for it, in half of the time at most", () => {
    for (const cost of [20, 100, 300]) {
      const rest = restAfter(cost, 200, 100);
      assert.ok(cost + rest <= 600 && rest >= cost, `${cost} ms, then a rest of ${rest} ms`);
    }
    assert.equal(restAfter(700, 200, 100), 700);
    assert.equal(restAfter(3000, 200, 100), 3000);
  });
});
