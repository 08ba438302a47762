import { parameterCount } from "../../../engine/model/blobs.js";
import { estimateOneSidedSlopes, nearestSlope, type OneSidedSlopes } from "../../../engine/slopes.js";
import { numberText } from "../../page/numberText.js";

/** A function of several numbers that gives several. */
export type Forward = (x: readonly number[]) => number[];

const shifted = (x: readonly number[], k: number, offset: number) => x.with(k, x[k] + offset);

/** d · f. */
export function weightedSum(values: readonly number[], d: readonly number[]): number {
  return values.reduce((sum, value, index) => sum + d[index] * value, 0);
}

/**
 * The slope of d · f(x) along input k between two places. The outputs are subtracted before they are weighed, so that
 * those that stay the same add no rounding.
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
  // What was added may differ from h by a rounding.
  return weightedSum(rises, d) / (after[k] - before[k]);
}

/** The slope of d · f(x) along one input by a central difference. */
export function centralDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  return slopeBetween(f, shifted(x, k, -h), shifted(x, k, h), d, k);
}

/** The slopes from the left and from the right, and how far d · f jumps between x − h and x + h. */
export function oneSidedSlopes(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const left = slopeBetween(f, shifted(x, k, -h), x, d, k);
  const right = slopeBetween(f, x, shifted(x, k, h), d, k);
  return { left, right, jump: centralDifference(f, x, d, k, h) * 2 * h };
}

/** The central difference with d · f rounded to float32, as a check that is done on a GPU would have it. */
export function roundedDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const [before, after] = [shifted(x, k, -h), shifted(x, k, h)];
  return (Math.fround(weightedSum(f(after), d)) - Math.fround(weightedSum(f(before), d))) / (after[k] - before[k]);
}

/** Disagreement up to which adjoint and difference count as equal, relative to the larger of them. */
export const tolerance = 1e-5;

/** A slope that is this share of the stage's largest one, per unit, is compared on the scale of this share. */
const scaleFloor = 1e-3;

/** One input's slope, computed in two ways. */
export interface SlopeComparison {
  adjoint: number;
  difference: number;
  /** Over the larger of them, or over a thousandth of the largest slope if both are smaller. */
  relativeError: number;
  agrees: boolean;
  /** The slopes from either side where the difference is one of them, since there is a kink within its reach. */
  kink?: OneSidedSlopes;
}

/**
 * Compares slopes.
 * @param units by which each input is measured, so that slopes along different ones can be compared
 * @param allowed disagreement that counts as none
 */
export function compareSlopes(
  adjoints: readonly number[],
  differences: readonly number[],
  units: readonly number[],
  allowed = tolerance,
): SlopeComparison[] {
  const largest = Math.max(...adjoints.map((slope, k) => Math.abs(slope * units[k])));
  return adjoints.map((adjoint, k) => {
    const difference = differences[k];
    const scale = Math.max(Math.abs(adjoint), Math.abs(difference), (scaleFloor * largest) / units[k]);
    // What is no number agrees with nothing.
    const distance = Math.abs(adjoint - difference);
    const relativeError = distance === 0 ? 0 : Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance / scale;
    return { adjoint, difference, relativeError, agrees: relativeError <= allowed };
  });
}

/**
 * Compares a stage's adjoints with central differences; near a kink with the difference on a side that has a slope.
 * @param h the distance of the differences, in units of each input
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
  const largest = Math.max(...adjoints.map((slope, k) => Math.abs(slope * units[k])));
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

/** What is compared, with a side's slope instead of the central difference if that one alone disagrees. */
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

/** Names the inputs that are at a kink, with the slopes on the sides that have one: " opacity is at a kink (…)." */
export function describeKinks(names: readonly string[], compared: readonly (SlopeComparison | undefined)[]): string {
  return names
    .map((name, k) => {
      const { left, right } = compared[k]?.kink ?? {};
      if (left === undefined && right === undefined) return "";
      const sides = Object.entries({ left, right }).flatMap(([side, slope]) =>
        slope === undefined ? [] : `${numberText(slope, 3)} from the ${side}`,
      );
      return ` ${name} is at a kink (slope ${sides.join(", ")}).`;
    })
    .join("");
}

/** Disagreement that is allowed: that of differences in float64, or that of a backward pass in float32. */
export const checkTolerances = { float64: 1e-4, float32: 2e-3 };

/**
 * Compares a slot's gradient with its difference, near a kink with that of a side. What is small beside the largest gradient that any blob has of that
 * parameter is compared on the scale of a thousandth of it.
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
  // The second one only sets the scale.
  const allowed = checkTolerances[precision];
  const compareWith = (slope: number) =>
    compareSlopes([gradients[slot], largest], [slope, largest], [1, 1], allowed)[0];
  return resolveKink(compareWith(difference), () => sides, compareWith);
}
