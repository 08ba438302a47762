import assert from "node:assert/strict";
import { describe, it, onTestFinished, vi } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { ratesAt, scheduleAtStep } from "../../../src/engine/model/rates.js";

describe("scheduleAtStep()", () => {
  const expected = {
    constant: [1, 1, 1, 1, 1],
    // 0.04 ** 0.25, 0.04 ** 0.5
    exponential: [1, 0.4472136, 0.2, 0.04, 0.04],
    // 0.04 + 0.96 (1 + cos(pi / 4)) / 2
    cosine: [1, 0.8594113, 0.52, 0.04, 0.04],
  } as const;
  for (const schedule of ["constant", "exponential", "cosine"] as const) {
    it(`goes from 1 at step 1 to the final rate at the horizon, and stays there, ${schedule}`, () => {
      const config = completeConfig({ schedule, finalRate: 0.04, steps: 9 });
      for (const [k, step] of [1, 3, 5, 9, 1000].entries()) {
        const factor = scheduleAtStep(config, step);
        assert.ok(Math.abs(factor - expected[schedule][k]) < 1e-7, `${factor} at step ${step}`);
      }
      assert.equal(scheduleAtStep({ ...config, steps: 1 }, 1), 1);
    });
  }

  it("is the same in float32 if the last digit of Math.cos differs, as in other JavaScript engines", () => {
    const config = completeConfig({ schedule: "cosine", finalRate: 1e-9, steps: 10_000 });
    const factors = () => Float32Array.from({ length: 10_000 }, (_, k) => scheduleAtStep(config, k + 1));
    const expected = factors();
    const { cos } = Math;
    const mock = vi.spyOn(Math, "cos");
    onTestFinished(() => mock.mockRestore());
    for (const error of [-Number.EPSILON, Number.EPSILON]) {
      mock.mockImplementation((x) => cos(x) * (1 + error));
      assert.deepEqual(factors(), expected);
    }
  });
});

it("ratesAt() multiplies the learning rate by each group's multiple and the schedule", () => {
  const multiples = { centerRate: 2, varianceRate: 3, correlationRate: 0, colorRate: 0.5, opacityRate: 7 };
  const config = completeConfig({ learningRate: 0.25, ...multiples, schedule: "cosine", finalRate: 0.5, steps: 3 });
  assert.deepEqual([...ratesAt(config, 2)], [0.375, 0.375, 0.5625, 0.5625, 0, 0.09375, 0.09375, 0.09375, 1.3125]);
  assert.deepEqual([...ratesAt(completeConfig({}), 77)], new Array(9).fill(0.002));
});
