import { parameterCount } from "../../../engine/model/blobs.js";
import { nearestSide, type Sides, slopesAside } from "../../../engine/slopes.js";
import { numberText } from "../../page/numberText.js";

/** A function of several numbers that gives several. */
export type Forward = (x: readonly number[]) => number[];

const moved = (x: readonly number[], k: number, by: number) => x.with(k, x[k] + by);

/** d · f. */
export function weighed(values: readonly number[], d: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + d[at] * value, 0);
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
  const rises = f(after).map((value, at) => value - low[at]);
  // What was added may differ from h by a rounding.
  return weighed(rises, d) / (after[k] - before[k]);
}

/** The slope of d · f(x) along one input by a central difference. */
export function centralDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  return slopeBetween(f, moved(x, k, -h), moved(x, k, h), d, k);
}

/** The slopes from the left and from the right, and how far d · f jumps between x − h and x + h. */
export function oneSided(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const left = slopeBetween(f, moved(x, k, -h), x, d, k);
  const right = slopeBetween(f, x, moved(x, k, h), d, k);
  return { left, right, jump: centralDifference(f, x, d, k, h) * 2 * h };
}

/** The central difference with d · f rounded to float32, as a check that is done on a GPU would have it. */
export function roundedDifference(f: Forward, x: readonly number[], d: readonly number[], k: number, h: number) {
  const [before, after] = [moved(x, k, -h), moved(x, k, h)];
  return (Math.fround(weighed(f(after), d)) - Math.fround(weighed(f(before), d))) / (after[k] - before[k]);
}

/** Disagreement up to which adjoint and difference count as equal, relative to the larger of them. */
export const tolerance = 1e-5;

/** A slope that is this share of the stage's largest one, per unit, is compared on the scale of this share. */
const least = 1e-3;

/** One input's slope, computed in two ways. */
export interface Compared {
  adjoint: number;
  difference: number;
  /** Over the larger of them, or over a thousandth of the largest slope if both are smaller. */
  apart: number;
  agrees: boolean;
  /** The slopes from either side where the difference is one of them, since there is a kink within its reach. */
  kink?: Sides;
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
): Compared[] {
  const largest = Math.max(...adjoints.map((slope, k) => Math.abs(slope * units[k])));
  return adjoints.map((adjoint, k) => {
    const difference = differences[k];
    const scale = Math.max(Math.abs(adjoint), Math.abs(difference), (least * largest) / units[k]);
    // What is no number agrees with nothing.
    const distance = Math.abs(adjoint - difference);
    const apart = distance === 0 ? 0 : Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance / scale;
    return { adjoint, difference, apart, agrees: apart <= allowed };
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
): Compared[] {
  const differences = units.map((unit, k) => centralDifference(f, x, d, k, h * unit));
  const compared = compareSlopes(adjoints, differences, units);
  const largest = Math.max(...adjoints.map((slope, k) => Math.abs(slope * units[k])));
  const here = f(x);
  return compared.map((one, k) => {
    const riseAt = (offset: number): [number, number] => {
      const there = moved(x, k, offset);
      const rises = f(there).map((value, at) => value - here[at]);
      return [weighed(rises, d), there[k] - x[k]];
    };
    const scale = (least * largest) / units[k];
    return besideKink(
      one,
      () => slopesAside(riseAt, h * units[k], scale),
      (slope) => compareSlopes(adjoints, differences.with(k, slope), units)[k],
    );
  });
}

/** What is compared, with a side's slope instead of the central difference if that one alone disagrees. */
function besideKink(one: Compared, sidesOf: () => Sides, compareWith: (slope: number) => Compared): Compared {
  if (one.agrees) return one;
  const kink = sidesOf();
  const slope = nearestSide(kink, one.adjoint);
  if (slope === undefined) return one;
  const again = compareWith(slope);
  return again.agrees ? { ...again, kink } : one;
}

/** Names the inputs that are at a kink, with the slopes on the sides that have one: " opacity is at a kink (…)." */
export function kinkWords(names: readonly string[], compared: readonly (Compared | undefined)[]): string {
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
  sides: Sides = {},
): Compared {
  const blobs = gradients.length / parameterCount;
  const first = Math.floor(slot / blobs) * blobs;
  let largest = 0;
  for (let i = first; i < first + blobs; i++) largest = Math.max(largest, Math.abs(gradients[i]));
  // The second one only sets the scale.
  const allowed = checkTolerances[precision];
  const compareWith = (slope: number) =>
    compareSlopes([gradients[slot], largest], [slope, largest], [1, 1], allowed)[0];
  return besideKink(compareWith(difference), () => sides, compareWith);
}
