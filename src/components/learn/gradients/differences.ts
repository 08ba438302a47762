import { parameterCount } from "../../../engine/model/blobs.js";
import { estimateOneSidedSlopes, nearestSlope, type OneSidedSlopes } from "../../../engine/slopes.js";
import { numberText } from "../../page/numberText.js";

/** A function from several numbers to several. */
export type Forward = (x: readonly number[]) => number[];

const shifted = (x: readonly number[], k: number, offset: number) => x.with(k, x[k] + offset);

/** Returns d · values. */
export function weightedSum(values: readonly number[], d: readonly number[]): number {
  return values.reduce((sum, value, index) => sum + d[index] * value, 0);
}

/**
 * Returns the slope of d · f(x) along input k between two points. The outputs are subtracted before they are weighted:
 * those that do not change add no rounding.
 */
function slopeBetween(
  f: Forward,
  before: readonly number[],
  after: readonly number[],
  d: readonly number[],
  k: number,
) {
  const low = f(before);
  const rises = f(after).map((value, index) => value - low[index]);
  // The step differs from h by a rounding.
  return weightedSum(rises, d) / (after[k] - before[k]);
}

/** Returns the slope of d · f(x) along input k by a central difference. */
export function centralDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  return slopeBetween(f, shifted(x, k, -h), shifted(x, k, h), d, k);
}

/** Returns the slopes from the left and from the right, and the difference of d · f between x − h and x + h. */
export function oneSidedSlopes(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const left = slopeBetween(f, shifted(x, k, -h), x, d, k);
  const right = slopeBetween(f, x, shifted(x, k, h), d, k);
  return { left, right, jump: centralDifference(f, x, d, k, h) * 2 * h };
}

/** Returns the central difference with d · f rounded to float32, as in a check on a GPU. */
export function roundedDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const [before, after] = [shifted(x, k, -h), shifted(x, k, h)];
  return (Math.fround(weightedSum(f(after), d)) - Math.fround(weightedSum(f(before), d))) / (after[k] - before[k]);
}

/** The relative error up to which adjoint and difference agree. */
export const tolerance = 1e-5;

/** Slopes below this fraction of the largest slope of the stage, per unit, are compared relative to this fraction. */
const scaleFloor = 1e-3;

/** The slope along one input by two methods. */
export interface SlopeComparison {
  adjoint: number;
  difference: number;
  /** Relative to the larger of them, or to a thousandth of the largest slope if both are smaller. */
  relativeError: number;
  agrees: boolean;
  /** The one-sided slopes, if a kink is within h and the difference is one of them. */
  kink?: OneSidedSlopes;
}

/**
 * Compares slopes.
 * @param units the unit of each input, which makes slopes along different inputs comparable
 * @param allowed the relative error that counts as agreement
 */
export function compareSlopes(
  adjoints: readonly number[],
  differences: readonly number[],
  units: readonly number[],
  allowed = tolerance,
): SlopeComparison[] {
  const largest = largestSlope(adjoints, units);
  return adjoints.map((adjoint, k) => {
    const difference = differences[k];
    const scale = Math.max(Math.abs(adjoint), Math.abs(difference), (scaleFloor * largest) / units[k]);
    // NaN agrees with nothing.
    const distance = Math.abs(adjoint - difference);
    const relativeError = distance === 0 ? 0 : Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance / scale;
    return { adjoint, difference, relativeError, agrees: relativeError <= allowed };
  });
}

function largestSlope(slopes: readonly number[], units: readonly number[]): number {
  return Math.max(...slopes.map((slope, k) => Math.abs(slope * units[k])));
}

/**
 * Compares the adjoints of a stage with central differences; near a kink with the one-sided difference that agrees.
 * @param h the step of the differences, in units of each input
 */
export function checkSlopes(
  f: Forward,
  x: readonly number[],
  d: readonly number[],
  adjoints: readonly number[],
  units: readonly number[],
  h: number,
): SlopeComparison[] {
  const differences = units.map((unit, k) => centralDifference(f, x, d, k, h * unit));
  const compared = compareSlopes(adjoints, differences, units);
  const largest = largestSlope(adjoints, units);
  const outputs = f(x);
  return compared.map((comparison, k) => {
    const riseAt = (offset: number): [number, number] => {
      const shiftedX = shifted(x, k, offset);
      const rises = f(shiftedX).map((value, index) => value - outputs[index]);
      return [weightedSum(rises, d), shiftedX[k] - x[k]];
    };
    const scale = (scaleFloor * largest) / units[k];
    return resolveKink(
      comparison,
      () => estimateOneSidedSlopes(riseAt, h * units[k], scale),
      (slope) => compareSlopes(adjoints, differences.with(k, slope), units)[k],
    );
  });
}

/** Returns a comparison, with a one-sided slope instead of the central difference if only that agrees. */
function resolveKink(
  comparison: SlopeComparison,
  sidesOf: () => OneSidedSlopes,
  compareWith: (slope: number) => SlopeComparison,
): SlopeComparison {
  if (comparison.agrees) return comparison;
  const kink = sidesOf();
  const slope = nearestSlope(kink, comparison.adjoint);
  if (slope === undefined) return comparison;
  const sideComparison = compareWith(slope);
  return sideComparison.agrees ? { ...sideComparison, kink } : comparison;
}

/** Returns a sentence for each input with a one-sided difference, with its slopes. */
export function describeKinks(names: readonly string[], compared: readonly (SlopeComparison | undefined)[]): string {
  return names
    .map((name, k) => {
      const { left, right } = compared[k]?.kink ?? {};
      if (left === undefined && right === undefined) return "";
      const sides = Object.entries({ left, right }).flatMap(([side, slope]) =>
        slope === undefined ? [] : `${numberText(slope, 3)} from the ${side}`,
      );
      return ` ${name} uses a one-sided difference (slope ${sides.join(", ")}).`;
    })
    .join("");
}

/** The relative error that counts as agreement, by the precision of the backward pass. */
export const checkTolerances = { float64: 1e-4, float32: 2e-3 };

/**
 * Compares the gradient of a slot with its difference, near a kink with a one-sided slope. The error of a small gradient is
 * relative to a thousandth of the largest gradient of that parameter.
 */
export function compareSlot(
  gradients: ArrayLike<number>,
  slot: number,
  difference: number,
  precision: keyof typeof checkTolerances,
  sides: OneSidedSlopes = {},
): SlopeComparison {
  const blobs = gradients.length / parameterCount;
  const first = Math.floor(slot / blobs) * blobs;
  let largest = 0;
  for (let i = first; i < first + blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
  // The second slope only sets the scale.
  const allowed = checkTolerances[precision];
  const compareWith = (slope: number) =>
    compareSlopes([gradients[slot], largest], [slope, largest], [1, 1], allowed)[0];
  return resolveKink(compareWith(difference), () => sides, compareWith);
}
