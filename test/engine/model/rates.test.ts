import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { baseRates, ratesAt, scheduleAtStep } from "../../../src/engine/model/rates.js";

const multiples = { centerRate: 2, varianceRate: 3, correlationRate: 0, colorRate: 0.5, opacityRate: 7 };

describe("scheduleAtStep()", () => {
  const expected = {
    constant: [1, 1, 1, 1],
    // 0.04 ** 0.25, 0.04 ** 0.5
    exponential: [1, 0.4472136, 0.2, 0.04],
    // 0.04 + 0.96 (1 + cos(pi / 4)) / 2
    cosine: [1, 0.8594113, 0.52, 0.04],
  } as const;
  for (const schedule of ["constant", "exponential", "cosine"] as const) {
    it(`goes from 1 to the final rate, ${schedule}`, () => {
      const config = completeConfig({ schedule, finalRate: 0.04, steps: 9 });
      for (const [k, step] of [1, 3, 5, 9].entries()) {
        const factor = scheduleAtStep(config, step);
        assert.ok(Math.abs(factor - expected[schedule][k]) < 1e-7, `${factor} at step ${step}`);
      }
    });
  }

  for (const schedule of ["exponential", "cosine"] as const) {
    it(`counts steps from 1 and stays constant after the horizon, ${schedule}`, () => {
      const config = completeConfig({ schedule, finalRate: 0.1, steps: 11 });
      assert.equal(scheduleAtStep(config, 1), 1);
      for (const step of [11, 12, 1000]) assert.ok(Math.abs(scheduleAtStep(config, step) - 0.1) < 1e-12);
      const factors = Array.from({ length: 11 }, (_, k) => scheduleAtStep(config, k + 1));
      assert.deepEqual(
        factors,
        factors.toSorted((a, b) => b - a),
        "never increases",
      );
    });

    it(`is 1 in a run of one step, ${schedule}`, () => {
      assert.equal(scheduleAtStep(completeConfig({ schedule, finalRate: 0.1, steps: 1 }), 1), 1);
    });
  }
});

describe("baseRates() and ratesAt()", () => {
  it("multiply the learning rate by the multiple of each group", () => {
    const rates = baseRates(completeConfig({ learningRate: 0.25, ...multiples }));
    assert.deepEqual([...rates], [0.5, 0.5, 0.75, 0.75, 0, 0.125, 0.125, 0.125, 1.75]);
  });

  it("equal the learning rate for the baseline preset", () => {
    for (const rates of [baseRates(completeConfig({})), ratesAt(completeConfig({}), 77)]) {
      assert.deepEqual([...rates], new Array(9).fill(0.002));
    }
  });

  it("multiply the rates by the schedule at a step", () => {
    const config = completeConfig({ learningRate: 0.25, ...multiples, schedule: "cosine", finalRate: 0.5, steps: 3 });
    assert.deepEqual([...ratesAt(config, 2)], [0.375, 0.375, 0.5625, 0.5625, 0, 0.09375, 0.09375, 0.09375, 1.3125]);
  });
});
