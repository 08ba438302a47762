import { steepestInput } from "./adjointCharts.js";
import { centralDifference } from "./differences.js";
import type { StageAdjoint } from "./stageAdjoint.js";

/** The decimal logarithms of the steps, and how many there are per decade. */
const [minExponent, maxExponent, perDecade] = [-13, -1, 2];

/**
 * Returns the error of the central difference by its step h, along the input with the largest adjoint: relative to the
 * adjoint, by h in units of the input.
 */
export function lossDifferenceErrors({ at, backward, forward, incoming, inputs }: StageAdjoint) {
  const adjoints = backward(at, incoming);
  const input = steepestInput(adjoints);
  const count = (maxExponent - minExponent) * perDecade + 1;
  return Array.from({ length: count }, (_, k) => {
    const h = 10 ** (minExponent + k / perDecade);
    const difference = centralDifference(forward, at, incoming, input, h * inputs[input].unit);
    return { x: h, y: Math.abs(difference / adjoints[input] - 1) };
  });
}
