import assert from "node:assert/strict";
import { it } from "vitest";
import type { BiasCorrection } from "../../src/engine/config.js";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import {
  decodedAt,
  decodedField,
  gradientSources,
  longestStep,
  race,
  recordAdam,
  recordDescent,
} from "../../src/learn/adam.js";
import { scene } from "../support/scenes.js";

const corrections: BiasCorrection[] = ["constant", "exact"];

it("Adam's step has the length of η for steady gradients of any size, that of gradient descent grows with them", () => {
  for (const size of [1e-5, 1, 1e3]) {
    const moves = recordAdam(() => size, 50, "exact", 0.02).map(({ move }) => move);
    assert.ok(
      moves.every((move) => Math.abs(move + 0.02) < 1e-4),
      moves.join(),
    );
    assert.ok(Math.abs(recordDescent(() => size, 1, 0.02)[0].move + 0.02 * size) < 1e-12);
  }
});

it("no source of gradients makes a step longer than the bound, which the worst case reaches", () => {
  const steps = 400;
  for (const correction of corrections) {
    for (const [name, source] of gradientSources) {
      const lengths = recordAdam(source(steps), steps, correction, 1, 0).map(({ move }) => Math.abs(move));
      const excess = lengths.map((length, index) => length - longestStep(correction, index + 1));
      assert.ok(Math.max(...excess) < 1e-9, name);
      if (name === "worst case") assert.ok(Math.abs(excess.at(-1)!) < 1e-3, `${correction}: ${excess.at(-1)}`);
    }
  }
});

it("a parameter is frozen where its decoding is flat", () => {
  const { config, image, state } = scene({ blobs: 3 });
  state.parameters.set([-0.2, 0.5, 1.3], 5 * 3);
  const rows = decodedField({ name: "waves", config, image, state }, 5);
  assert.deepEqual(
    rows.map(({ blob, isFrozen }) => [blob, isFrozen]),
    [
      [0, true],
      [1, false],
      [2, true],
    ],
  );
  assert.deepEqual([rows[0].value, rows[2].value], [0, 1]);
  assert.equal(decodedAt({ config, image }, 5, 0.5).value, rows[1].value);
});

it("each racer starts with the same loss, and ends where the engine does", async () => {
  const { config, image, state } = scene({ pipeline: "cpu", blobs: 12 });
  const racers = [
    { optimizer: "Adam", rate: 0.02 },
    { optimizer: "gradient descent", rate: 1 },
  ] as const;
  let rows: { rate: number; step: number; loss: number }[] = [];
  for await (const seen of race(cpuBackend, { name: "waves", config, image, state }, racers, 20)) rows = seen;
  const [adam, descent] = racers.map(({ rate }) => rows.filter((row) => row.rate === rate).map(({ loss }) => loss));
  assert.deepEqual([adam.length, descent.length, descent[0]], [20, 20, adam[0]]);
  assert.ok(adam[19] < adam[0] && descent[19] < descent[0]);
  const pipeline = await cpuBackend.open({ ...config, learningRate: 0.02 }, image, state);
  await pipeline.advance(20);
  assert.equal(adam[19], (await pipeline.statistics()).loss);
});
