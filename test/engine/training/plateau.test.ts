import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import { testImage } from "../../support/scenes.js";

const image = testImage(16, 12);
const config = completeConfig({
  preset: "quality",
  pipeline: "cpu",
  blobs: 6,
  steps: 200,
  growEvery: 10,
  growUntil: 0.2,
  plateau: 1,
});

/** Returns the state at a step or at the end of the run. */
async function trained(until: number, start?: Trainer["state"]) {
  const trainer = new Trainer(config, image, cpuBackend, start);
  for await (const { step } of trainer.run({ inspectAt: [until] }))
    if (step === until) return (await trainer.inspect()).state;
  return trainer.state;
}

describe("a run with early stopping", () => {
  it("ends at the same step with the same bits when it is interrupted and resumed", async () => {
    const uninterrupted = await trained(1e9);
    assert.ok(uninterrupted.step > 50 && uninterrupted.step < 200, `it ends at step ${uninterrupted.step}`);
    assert.equal(uninterrupted.plateau?.end, uninterrupted.step);
    // Before density control, at it, between two comparisons, at one, and after the decision to end.
    for (const cut of [3, 20, 45, 50, uninterrupted.step - 10, uninterrupted.step - 1]) {
      const { plateau, ...state } = await trained(cut);
      assert.equal(state.step, cut);
      const ended = await trained(1e9, { ...state, plateau: plateau && JSON.parse(JSON.stringify(plateau)) });
      assert.deepEqual(ended, uninterrupted, `stopped after ${cut}`);
    }
  });
});
