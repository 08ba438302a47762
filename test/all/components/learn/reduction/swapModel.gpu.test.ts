import assert from "node:assert/strict";
import { describe } from "vitest";
import { bitsOf, floatOf } from "../../../../../src/components/learn/reduction/floatBits.js";
import { newRace, runRace } from "../../../../../src/components/learn/reduction/raceModel.js";
import { traceSwaps } from "../../../../../src/components/learn/reduction/sumKernels.js";
import {
  countRetries,
  initialSwapState,
  oneByOne,
  roundRobin,
  runSwaps,
  type SwapState,
  stepThread,
  waitingThreads,
} from "../../../../../src/components/learn/reduction/swapModel.js";
import type { Gpu } from "../../../../../src/engine/gpu/device.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";

/** Returns the final state of every interleaving. */
function ends(state: SwapState): SwapState[] {
  const waiting = waitingThreads(state);
  return waiting.length === 0 ? [state] : waiting.flatMap((thread) => ends(stepThread(state, thread)));
}

describe("the compare-and-swap model", () => {
  it("ends with the sum of all values in every interleaving", () => {
    // Sums of these are exact in float32 in any order.
    const all = ends(initialSwapState([1, 2, 0, 4]));
    assert.ok(all.length > 1680, String(all.length));
    for (const end of all) assert.equal(floatOf(end.word), 7);
    assert.deepEqual([Math.min(...all.map(countRetries)), Math.max(...all.map(countRetries))], [0, 3]);
  });

  it("needs no retries one by one, and n (n − 1) / 2 in round robin", () => {
    const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    const retries = [oneByOne, roundRobin].map((order) =>
      countRetries(runSwaps(initialSwapState(values), order).at(-1)!),
    );
    assert.deepEqual(retries, [0, 15]);
  });

  it("matches atomicAccumulate on the GPU: each successful swap finds the result of the previous one", async ({
    gpu,
  }) => {
    const values = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5);
    const { actions, swaps, retries, sum } = await traceSwaps(gpu, values);
    assert.equal(swaps, 5 + retries);
    let word = 0;
    const remaining = new Set([0, 1, 2, 3, 4]);
    while (remaining.size > 0) {
      const next = actions.find(
        ({ thread, exchanged, found }) => exchanged && found === word && remaining.delete(thread),
      );
      assert.ok(next, `no swap found ${floatOf(word)}`);
      word = bitsOf(floatOf(word) + values[next.thread]);
    }
    assert.equal(floatOf(word), sum);
  });
});

describe("runRace()", () => {
  it("gives sums near the exact one on the GPU and in the model, bit-identical where slots are added in order", async ({
    gpu,
  }) => {
    const random = uniformGenerator(8);
    const values = Float32Array.from({ length: 4 * 24 }, () => random() - 0.5);
    const start = newRace({ values, threads: 4, tiles: 24 }, 10);
    const run = async (on: Gpu | undefined) => {
      let race = start;
      for await (const each of runRace(start, 40, on, new AbortController().signal)) race = each;
      return race;
    };
    const [race, modelled] = [await run(gpu), await run(undefined)];
    for (const { raced, fixed, exact } of [race, modelled]) {
      assert.deepEqual([raced.length, fixed.length, new Set(fixed).size], [40, 40, 1]);
      assert.ok(raced.every((sum) => Math.abs(sum - exact) < 1e-5));
    }
    assert.equal(race.fixed[0], modelled.fixed[0]);
  });
});
