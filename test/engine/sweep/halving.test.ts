import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { nextRound, type RunProgress } from "../../../src/engine/sweep/halving.js";

/** Returns runs of 900 steps that have not started. */
const newRuns = (count: number): RunProgress[] =>
  Array.from({ length: count }, () => ({ steps: 900, step: 0, psnr: Number.NaN, hasEnded: false }));

/** Trains a round: the PSNR of run i is i. */
function train(runs: RunProgress[], round: Map<number, number>): void {
  for (const [i, step] of round) runs[i] = { ...runs[i], step, psnr: i, hasEnded: step === runs[i].steps };
}

describe("nextRound()", () => {
  it("continues the best third of the runs in each round, until one is trained in full", () => {
    const runs = newRuns(10);
    const rounds: [number, number][][] = [];
    for (let round = nextRound(runs, 3); round.size > 0; round = nextRound(runs, 3)) {
      rounds.push([...round].sort(([a], [b]) => a - b));
      train(runs, round);
    }
    assert.deepEqual(rounds, [
      Array.from({ length: 10 }, (_, i) => [i, 100]),
      [7, 8, 9].map((i) => [i, 300]),
      [[9, 900]],
    ]);
    assert.equal(
      runs.reduce((sum, { step }) => sum + step, 0),
      7 * 100 + 2 * 300 + 900,
    );
  });

  it("gives the same runs after an interruption in any round", () => {
    const runs = newRuns(9);
    train(runs, nextRound(runs, 3));
    // One of the three best has continued, to a result below that of the others.
    runs[8] = { ...runs[8], step: 300, psnr: 1 };
    assert.deepEqual(nextRound(runs, 3), new Map([7, 6].map((i) => [i, 300])));
    runs[7] = { ...runs[7], step: 120, psnr: 0 };
    assert.deepEqual([...nextRound(runs, 3).keys()].sort(), [6, 7]);
  });

  it("replaces a run that has failed by the next best, and compares a run that ended early", () => {
    const runs = newRuns(9);
    train(runs, nextRound(runs, 3));
    runs[8] = { ...runs[8], isOut: true };
    assert.deepEqual([...nextRound(runs, 3).keys()], [7, 6, 5]);
    runs[7] = { ...runs[7], step: 80, hasEnded: true };
    assert.deepEqual([...nextRound(runs, 3).keys()], [6, 5], "it has taken all of its steps");
    for (const i of [6, 5]) runs[i] = { ...runs[i], step: 300 };
    assert.equal(nextRound(runs, 3).size, 0, "it is the best of the last round");
  });

  it("trains all runs in full if they are fewer than the number that competes", () => {
    assert.deepEqual(nextRound(newRuns(2), 3), new Map([0, 1].map((i) => [i, 900])));
  });
});
