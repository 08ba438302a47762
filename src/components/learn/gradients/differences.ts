import { parameterCount } from "../../../engine/model/blobs.js";
import { estimateOneSidedSlopes, nearestSlope, type OneSidedSlopes } from "../../../engine/slopes.js";
import { numberText } from "../../page/numberText.js";
import type { Stage } from "./stageAdjoint.js";

type Numbers = readonly number[];
type Forward = Stage["forward"];

const shifted = (x: Numbers, k: number, offset: number) => x.with(k, x[k] + offset);

/** Returns d · values. */
export function weightedSum(values: Numbers, d: Numbers): number {
  return values.reduce((sum, value, index) => sum + d[index] * value, 0);
}

/**
 * Returns how much d · f rises from outputs of f to those at a point. The outputs are subtracted before they are weighted:
 * those that do not change add no rounding.
 */
function riseTo(f: Forward, point: Numbers, outputs: Numbers, d: Numbers): number {
  const rises = f(point).map((value, index) => value - outputs[index]);
  return weightedSum(rises, d);
}

/** Returns the slope of d · f along input k between two points. The step differs from h by a rounding. */
function slopeBetween(f: Forward, before: Numbers, after: Numbers, d: Numbers, k: number) {
  return riseTo(f, after, f(before), d) / (after[k] - before[k]);
}

/** Returns the slope of d · f(x) along input k by a central difference. */
export function centralDifference(f: Forward, x: Numbers, d: Numbers, k: number, h: number) {
  return slopeBetween(f, shifted(x, k, -h), shifted(x, k, h), d, k);
}

/** Returns the slopes from the left and from the right, and the difference of d · f between x − h and x + h. */
export function oneSidedSlopes(f: Forward, x: Numbers, d: Numbers, k: number, h: number) {
  const left = slopeBetween(f, shifted(x, k, -h), x, d, k);
  const right = slopeBetween(f, x, shifted(x, k, h), d, k);
  return { left, right, jump: centralDifference(f, x, d, k, h) * 2 * h };
}

/** Returns the central difference with d · f rounded to float32, as in a check on a GPU. */
export function roundedDifference(f: Forward, x: Numbers, d: Numbers, k: number, h: number) {
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
 * Compares a slope with a difference; near a kink with the one-sided slope that agrees.
 * @param floor if both are smaller than this, their error is relative to it
 * @param allowed the relative error that counts as agreement
 */
function compareSlope(
  adjoint: number,
  difference: number,
  floor: number,
  allowed: number,
  sidesOf: () => OneSidedSlopes = () => ({}),
): SlopeComparison {
  const compareWith = (slope: number) => {
    const scale = Math.max(Math.abs(adjoint), Math.abs(slope), floor);
    // NaN agrees with nothing.
    const distance = Math.abs(adjoint - slope);
    const relativeError = distance === 0 ? 0 : Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance / scale;
    return { adjoint, difference: slope, relativeError, agrees: relativeError <= allowed };
  };
  const comparison = compareWith(difference);
  if (comparison.agrees) return comparison;
  const kink = sidesOf();
  const oneSided = compareWith(nearestSlope(kink, adjoint) ?? Number.NaN);
  return oneSided.agrees ? { ...oneSided, kink } : comparison;
}

/** Returns the floor of the slope along each input: a fraction of the largest slope, per unit. */
function floorsOf({ inputs }: Stage, slopes: Numbers): number[] {
  const largest = Math.max(...inputs.map(({ unit }, k) => Math.abs(slopes[k] * unit)));
  return inputs.map(({ unit }) => (scaleFloor * largest) / unit);
}

/** Compares the adjoints of a stage by two methods. */
export function compareSlopes(
  stage: Stage,
  adjoints: Numbers,
  others: Numbers,
  allowed = tolerance,
): SlopeComparison[] {
  const floors = floorsOf(stage, adjoints);
  return adjoints.map((adjoint, k) => compareSlope(adjoint, others[k], floors[k], allowed));
}

/**
 * Compares the adjoints of a stage with central differences; near a kink with the one-sided difference that agrees.
 * @param h the step of the differences, in units of each input
 */
export function checkSlopes(stage: Stage, x: Numbers, d: Numbers, adjoints: Numbers, h: number): SlopeComparison[] {
  const { forward, inputs } = stage;
  const floors = floorsOf(stage, adjoints);
  const outputs = forward(x);
  return adjoints.map((adjoint, k) => {
    const step = h * inputs[k].unit;
    const riseAt = (offset: number): [number, number] => {
      const point = shifted(x, k, offset);
      return [riseTo(forward, point, outputs, d), point[k] - x[k]];
    };
    const sidesOf = () => estimateOneSidedSlopes(riseAt, step, floors[k]);
    return compareSlope(adjoint, centralDifference(forward, x, d, k, step), floors[k], tolerance, sidesOf);
  });
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
  return compareSlope(gradients[slot], difference, scaleFloor * largest, checkTolerances[precision], () => sides);
}
