import { range } from "d3-array";
import { centralDifference } from "./differences.js";
import type { StageAdjoint } from "./stageAdjoint.js";

/**
 * Returns the errors of a difference along an input by its step h, in units of the input: relative to a slope, or 1 if that is
 * zero. Steps are left out that leave the stage's range, or that no number is so close to the input for.
 * @param exponents the decimal logarithms of the steps
 */
export function differenceErrors(
  { forward, incoming, inputs }: StageAdjoint,
  x: readonly number[],
  input: number,
  slope: number,
  exponents: readonly number[],
  difference = centralDifference,
): { h: number; error: number }[] {
  const { unit, constraint } = inputs[input];
  return exponents.flatMap((exponent) => {
    const h = 10 ** exponent;
    if (![-h, h].every((offset) => constraint?.allows(x[input] + offset * unit) ?? true)) return [];
    const error = Math.abs(difference(forward, x, incoming, input, h * unit) - slope);
    if (Number.isNaN(error)) return [];
    return [{ h, error: error === 0 ? 0 : slope === 0 ? 1 : error / Math.abs(slope) }];
  });
}

/** Returns the index of the input with the largest adjoint. */
export function steepestInput(adjoints: readonly number[]): number {
  const sizes = adjoints.map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
}

/** Returns the error of the central difference by its step h, along the input with the largest adjoint. */
export function lossDifferenceErrors(adjoint: StageAdjoint): { x: number; y: number }[] {
  const { at, backward, incoming } = adjoint;
  const adjoints = backward(at, incoming);
  const input = steepestInput(adjoints);
  const errors = differenceErrors(adjoint, at, input, adjoints[input], range(-13, -0.5, 0.5));
  return errors.map(({ h, error }) => ({ x: h, y: error }));
}
