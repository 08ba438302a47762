import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { Schedule } from "../../../src/engine/training/schedule.js";

const schedule = () => new Schedule(completeConfig({ steps: 1e9 }), { interval: 125 }, 0);

const batchOf = (schedule: Schedule, budget = Number.POSITIVE_INFINITY) => schedule.nextBatch(0, budget).steps;

/** Learns from batches of an engine that takes 1/8 ms a step, each heard of so many milliseconds late. */
function learned(...lateness: number[]): Schedule {
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
  it("takes half an interval, and no more steps than the budget", () => {
    const learning = learned(...none(8));
    assert.deepEqual(learning.nextBatch(0, 1e6), { steps: 500, isLast: false });
    assert.deepEqual(learning.nextBatch(0, 300), { steps: 300, isLast: true });
  });

  it("has the engine's speed where a busy thread hears of one batch late and of the next at once", () => {
    for (const late of [40, 62])
      assert.ok(Math.abs(learned(...none(8), late, 0).stepsPerSecond / 8000 - 1) < 0.2, `${late} ms`);
  });

  it("forgets how long the kernels took to compile", () => {
    const learning = schedule();
    learning.batchDone(1, 2000, 0, 0);
    for (let i = 0; i < 6; i++) learning.batchDone(batchOf(learning), batchOf(learning) / 8, 0, 0);
    assert.ok(learning.stepsPerSecond > 7900);
    assert.ok(batchOf(learning, 1e6) > 450);
  });
});
