import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { SerialQueue } from "../../src/engine/serialQueue.js";

describe("SerialQueue", () => {
  it("runs functions one at a time, in the order of the calls, even after a failure", async () => {
    const queue = new SerialQueue();
    const events: string[] = [];
    const work = (name: string, waits: number) => async () => {
      events.push(`${name} begins`);
      for (let i = 0; i < waits; i++) await Promise.resolve();
      events.push(`${name} ends`);
      if (name === "b") throw new Error("b fails.");
      return name;
    };
    const all = [queue.run(work("a", 9)), queue.run(work("b", 3)), queue.run(work("c", 0))];
    const ends = await Promise.allSettled(all);
    assert.deepEqual(
      ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message)),
      ["a", "b fails.", "c"],
    );
    assert.deepEqual(events, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });
});
