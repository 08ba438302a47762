import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { SerialQueue } from "../../src/engine/serialQueue.js";

describe("Turns", () => {
  it("carries work out one after the other, in the order asked for, also after work that fails", async () => {
    const turns = new SerialQueue();
    const told: string[] = [];
    const work = (name: string, waits: number) => async () => {
      told.push(`${name} begins`);
      for (let i = 0; i < waits; i++) await Promise.resolve();
      told.push(`${name} ends`);
      if (name === "b") throw new Error("b fails.");
      return name;
    };
    const all = [turns.run(work("a", 9)), turns.run(work("b", 3)), turns.run(work("c", 0))];
    const ends = await Promise.allSettled(all);
    assert.deepEqual(
      ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message)),
      ["a", "b fails.", "c"],
    );
    assert.deepEqual(told, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });
});
