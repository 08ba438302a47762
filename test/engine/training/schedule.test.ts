import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { Schedule } from "../../../src/engine/training/schedule.js";

const schedule = () => new Schedule(completeConfig({ steps: 1e9 }), { interval: 125 }, 0);

const batchOf = (schedule: Schedule, budget = Number.POSITIVE_INFINITY) => schedule.nextBatch(0, budget).steps;

/** Returns a schedule after batches of an engine with 1/8 ms per step, each reported with a delay in milliseconds. */
function scheduleAfter(...lateness: number[]): Schedule {
  const learning = schedule();
  let before = 0;
  for (const late of [0, ...lateness]) {
    const done = batchOf(learning);
    learning.batchDone(done, done / 8 + late - before, 0, 0);
    before = late;
  }
  return learning;
}
const none = (count: number) => Array.from({ length: count }, () => 0);

describe("a batch of steps", () => {
  it("takes half an interval, and at most the budget", () => {
    const learning = scheduleAfter(...none(8));
    assert.deepEqual(learning.nextBatch(0, 1e6), { steps: 500, endsIdle: false });
    assert.deepEqual(learning.nextBatch(0, 300), { steps: 300, endsIdle: true });
  });

  it("measures the engine's speed even if a busy thread gets one result late and the next at once", () => {
    for (const late of [40, 62])
      assert.ok(Math.abs(scheduleAfter(...none(8), late, 0).stepsPerSecond / 8000 - 1) < 0.2, `${late} ms`);
  });

  it("ignores the compilation time of the kernels", () => {
    const learning = schedule();
    learning.batchDone(1, 2000, 0, 0);
    for (let i = 0; i < 6; i++) learning.batchDone(batchOf(learning), batchOf(learning) / 8, 0, 0);
    assert.ok(learning.stepsPerSecond > 7900);
    assert.ok(batchOf(learning, 1e6) > 450);
  });
});
