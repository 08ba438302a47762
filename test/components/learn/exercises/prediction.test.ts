import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  describeDistance,
  drawStroke,
  type PredictionAxis,
  predictedValues,
} from "../../../../src/components/learn/exercises/predictionModel.js";

const blobs: PredictionAxis = { label: "blobs in front, N", name: "N", values: [0, 1, 2, 4] };
const light: PredictionAxis = { label: "transmittance T", domain: [0, 1] };
const truth = [0, 1, 2, 4].map((x) => ({ x, y: 0.5 ** x }));

describe("the reader's curve", () => {
  it("has points at given values, or spread over the domain, by the scale", () => {
    assert.deepEqual(predictedValues(blobs), [0, 1, 2, 4]);
    const steps = predictedValues({ label: "step", scale: "log", domain: [1, 1e6] }) as number[];
    assert.equal(steps.length, 13);
    assert.deepEqual([steps[0], steps[12]], [1, 1e6]);
    assert.ok(Math.abs(steps[6] - 1000) < 1e-6);
  });

  it("follows the pen where it passes, in either direction, and its nearest point follows a tap", () => {
    const xs = [0, 10, 20, 30];
    const flat = [5, 5, 5, 5];
    assert.deepEqual(drawStroke(xs, flat, [0, 0], [22, 22]), [0, 10, 22, 5]);
    assert.deepEqual(drawStroke(xs, flat, [30, 0], [9, 21]), [5, 21, 10, 0]);
    assert.deepEqual(drawStroke(xs, flat, [13, 1], [13, 1]), [5, 1, 5, 5]);
  });

  it("is compared in the unit of y, or as a factor on a logarithmic axis, with the place of the largest distance", () => {
    const guess = [0, 1, 2, 4].map((x) => ({ x, y: 0.5 }));
    assert.equal(
      describeDistance(guess, truth, blobs, light),
      "Your curve is off by 0.3 on average; most at N = 0: you drew 0.5, the answer is 1.",
    );
    const time: PredictionAxis = { label: "time", unit: "ms", scale: "log", domain: [1, 1000] };
    const kernels: PredictionAxis = { label: "kernel", scale: "point", values: ["thread", "subgroup"] };
    const sentence = describeDistance(
      [
        { x: "thread", y: 10 },
        { x: "subgroup", y: 10 },
      ],
      [
        { x: "thread", y: 40 },
        { x: "subgroup", y: 10 },
      ],
      kernels,
      time,
    );
    assert.equal(
      sentence,
      "Your curve is off by a factor of 2 on average; most at thread: you drew 10 ms, the answer is 40 ms.",
    );
  });
});
