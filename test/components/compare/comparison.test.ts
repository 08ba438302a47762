import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { ComparedRun } from "../../../src/components/compare/comparedRun.js";
import { Comparison, maxChosen } from "../../../src/components/compare/comparison.js";

const run = (name: string) => ({ id: name, name }) as ComparedRun;

describe("a comparison", () => {
  it("compares a limited number of runs, and another one after a deselection", () => {
    const comparison = new Comparison();
    const runs = Array.from({ length: maxChosen + 1 }, (_, i) => run(`run ${i}`));
    comparison.add(runs, runs.length);
    comparison.toggle(runs[maxChosen]);
    assert.deepEqual(comparison.chosen, runs.slice(0, maxChosen));
    comparison.toggle(runs[0]);
    comparison.toggle(runs[maxChosen]);
    assert.deepEqual(comparison.chosen, runs.slice(1));
  });

  it("has unique names, and renames a run to the same name each time", () => {
    const comparison = new Comparison();
    comparison.add([run("a"), run("b")], 2);
    for (let i = 0; i < 3; i++) {
      comparison.rename("b", "a");
      assert.deepEqual(
        comparison.runs.map(({ name }) => name),
        ["a", "a (2)"],
      );
    }
  });
});
