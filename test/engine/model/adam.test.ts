import assert from "node:assert/strict";
import { it } from "vitest";
import { corrections, updateBlobs } from "../../../src/engine/model/adam.js";

it("Adam's step follows Kingma and Ba, each parameter at its own rate, with constant or exact bias correction", () => {
  const gradients = [3, -0.5, 0.001];
  for (const biasCorrection of ["constant", "exact"] as const) {
    const [parameters, first, second] = [Float64Array.of(1, 2), new Float64Array(2), new Float64Array(2)];
    const expected = [1, 2];
    for (const [at, gradient] of gradients.entries()) {
      const t = at + 1;
      updateBlobs(
        parameters,
        first,
        second,
        Float64Array.of(gradient, gradient),
        [0.1, 0.3],
        corrections(biasCorrection, t),
      );
      // The moments as sums over all gradients so far.
      const sum = (beta: number, power: number) =>
        gradients.slice(0, t).reduce((total, g, i) => total + (1 - beta) * beta ** (at - i) * g ** power, 0);
      const [m, v] = [sum(0.9, 1), sum(0.999, 2)];
      const [m1, v1] = biasCorrection === "exact" ? [1 - 0.9 ** t, 1 - 0.999 ** t] : [0.1, 0.001];
      for (const [k, rate] of [0.1, 0.3].entries()) {
        expected[k] -= (rate * (m / m1)) / (Math.sqrt(v / v1) + 1e-8);
        assert.ok(Math.abs(parameters[k] - expected[k]) < 1e-12, `${biasCorrection}, step ${t}`);
      }
    }
  }
});
