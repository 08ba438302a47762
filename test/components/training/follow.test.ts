import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, vi } from "vitest";
import { ChangeSignal, type FollowOptions, follow } from "../../../src/components/training/follow.js";

/** Returns the milliseconds until the next value, after drawing one for some milliseconds. */
async function restOf(drawing: number, options: FollowOptions): Promise<number> {
  const change = new ChangeSignal();
  let value = 1;
  const values = follow(change, () => value, options);
  await values.next();
  vi.advanceTimersByTime(drawing);
  value = 2;
  change.notify();
  const start = performance.now();
  let end: number | undefined;
  void values.next().then(() => {
    end = performance.now();
  });
  while (end === undefined) await vi.advanceTimersByTimeAsync(50);
  return end - start;
}

describe("follow()", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("limits drawing to 1/`costFactor` of the time", async () => {
    const rest = await restOf(600, { interval: 250, costFactor: 16 });
    assert.ok(rest >= 15 * 600 && rest < 15 * 600 + 300, `${rest} ms`);
  });

  it("yields a value about once per second if it is bounded, however long the first took to draw", async () => {
    for (const drawing of [20, 400, 600]) {
      const rest = await restOf(drawing, { interval: 250, costFactor: 16, isBounded: true });
      assert.ok(rest + drawing <= 1400 && rest >= 250, `${rest} ms after ${drawing} ms`);
    }
  });
});
