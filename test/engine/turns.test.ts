import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Turns } from "../../src/engine/turns.js";

describe("Turns", () => {
  it("carries work out one after the other, in the order asked for, also after work that fails", async () => {
    const turns = new Turns();
    const told: string[] = [];
    const work = (name: string, waits: number) => async () => {
      told.push(`${name} begins`);
      for (let i = 0; i < waits; i++) await Promise.resolve();
      told.push(`${name} ends`);
      if (name === "b") throw new Error("b fails.");
      return name;
    };
    const all = [turns.take(work("a", 9)), turns.take(work("b", 3)), turns.take(work("c", 0))];
    const ends = await Promise.allSettled(all);
    assert.deepEqual(
      ends.map((end) => (end.status === "fulfilled" ? end.value : end.reason.message)),
      ["a", "b fails.", "c"],
    );
    assert.deepEqual(told, ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });
});
