import assert from "node:assert/strict";
import { it } from "vitest";
import { treeReduce } from "../../src/engine/model/accumulate.js";
import { uniformGenerator } from "../../src/engine/random.js";
import {
  describeStage,
  describeSwap,
  measureSums,
  orders,
  recordReduction,
  recordSwaps,
  sumInOrders,
} from "../../src/learn/reduction.js";

it("recordReduction() clamps, adds what its links name, and has the sum of treeReduce, for any number of threads", () => {
  const random = uniformGenerator(4);
  for (const threads of [2, 11, 16]) {
    const gradients = Array.from({ length: threads }, () => 30 * random() - 15);
    const record = recordReduction(gradients, 10);
    const at = (stage: number, thread: number) => record.numbers[stage * threads + thread].value;
    assert.equal(record.sum, treeReduce(Float32Array.from(gradients, (g) => Math.max(-10, Math.min(10, g)))));
    for (const { stage, adding } of record.rounds) {
      for (let thread = 0; thread < threads; thread++) {
        const terms = record.links.filter((link) => link.stage === stage && link.to === thread);
        const sum = terms.reduce((sum, { from }) => Math.fround(sum + at(stage - 1, from)), 0);
        assert.equal(
          at(stage, thread),
          thread < adding ? sum : at(stage - 1, thread),
          `stage ${stage}, thread ${thread}`,
        );
      }
    }
    assert.match(describeStage(record, record.rounds.length + 1), /1 thread adds\. .* That is the sum, /);
  }
});

it("recordSwaps() adds each value once in any order; in turn, n (n − 1) / 2 swaps fail, and one by one none", () => {
  const random = uniformGenerator(7);
  // The sums of these are exact in float32.
  const values = [1, 2, 0, 4, 8];
  for (let trial = 0; trial < 50; trial++) {
    const { steps } = recordSwaps(values, orders.random, random);
    assert.equal(steps.at(-1)!.word, 15);
    assert.equal(steps.filter(({ action }) => action === "swap").length, 4);
  }
  const failures = [orders["in turn"], orders["one after the other"]].map((order) => {
    const record = recordSwaps([0.1, 0.2, 0.3, 0.4], order, random);
    return /(\d+) failed/.exec(describeSwap(record, record.steps.length))?.[1];
  });
  assert.deepEqual(failures, ["6", "0"]);
});

it("sums in random orders differ by units in the last place, and a fixed order repeats its sum", () => {
  const random = uniformGenerator(3);
  const terms = Float32Array.from({ length: 64 }, () => 2 * random() - 1);
  const rows = measureSums(terms, sumInOrders(terms, 200, random));
  assert.ok(rows.at(-1)!.different > 5);
  assert.ok(rows.every(({ units }) => Math.abs(units) < 100));
  const [first, again] = [1, 2].map((seed) => sumInOrders(terms, 1, uniformGenerator(seed))[0]);
  assert.equal(first, again);
});
