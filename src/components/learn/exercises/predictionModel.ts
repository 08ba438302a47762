import { numberText } from "../../page/numberText.js";

/** A point of a curve. The values of an ordinal axis can be words. */
export interface CurvePoint {
  x: number | string;
  y: number;
}

/** An axis of a prediction. */
export interface PredictionAxis {
  /** The label without a unit: "blobs in the list, N". */
  label: string;
  /** The name in sentences, by default the label: "N". */
  name?: string;
  /** Added to the label and to numbers: "dB". */
  unit?: string;
  /** The default is linear; `point` places the values of x at equal distances. */
  scale?: "linear" | "log" | "point";
  /** Smallest and largest number; x can have `values` instead. */
  domain?: readonly [low: number, high: number];
  /** Numbers or words at which the reader places a point each. Without them, the reader draws a curve over the domain. */
  values?: readonly (number | string)[];
  /** Ticks of the axis: their number or their values. */
  ticks?: number | readonly number[];
  /** Returns the text of a number on the axis and in sentences, without the unit. */
  format?: (value: number) => string;
}

/** What the reader has done: nothing, drawn a curve, compared it, or asked for the answer without a curve. */
export type PredictionState = "untouched" | "drawn" | "compared" | "shown";

/** Points of a curve that is drawn over a domain. */
const curvePoints = 13;

/** Returns the values of x at which the reader's curve has its points. */
export function predictedValues({ values, domain = [0, 1], scale }: PredictionAxis): (number | string)[] {
  if (values) return [...values];
  const [low, high] = domain.map(scale === "log" ? Math.log : Number);
  return Array.from({ length: curvePoints }, (_, i) => {
    // The ends are exact.
    if (i === 0 || i === curvePoints - 1) return domain[i && 1];
    const at = low + ((high - low) * i) / (curvePoints - 1);
    return scale === "log" ? Math.exp(at) : at;
  });
}

/** Returns the middle of an axis, where the reader's curve starts. */
export function middleOf({ domain = [0, 1], scale }: PredictionAxis): number {
  return scale === "log" ? Math.sqrt(domain[0] * domain[1]) : (domain[0] + domain[1]) / 2;
}

/**
 * Returns the heights of a curve after a stroke of the pen: the points that it passes get its height there, and the point
 * nearest to its end gets that of the end.
 * @param xs positions of the points across, ascending
 * @param heights heights at these positions
 */
export function drawStroke(
  xs: readonly number[],
  heights: readonly number[],
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
): number[] {
  const [left, right] = from[0] < to[0] ? [from, to] : [to, from];
  const nearest = nearestIndex(xs, to[0]);
  return heights.map((height, i) => {
    if (i === nearest) return to[1];
    if (xs[i] < left[0] || xs[i] > right[0]) return height;
    return left[1] + ((right[1] - left[1]) * (xs[i] - left[0])) / (right[0] - left[0] || 1);
  });
}

/** Returns the index of the number nearest to a position. */
export function nearestIndex(xs: readonly number[], x: number): number {
  return xs.reduce((best, value, i) => (Math.abs(value - x) < Math.abs(xs[best] - x) ? i : best), 0);
}

/** Returns the height of a curve at a value of x, interpolated between its points; undefined beyond its ends. */
export function heightAt(curve: readonly CurvePoint[], x: number | string, axis: PredictionAxis): number | undefined {
  const exact = curve.find((point) => point.x === x);
  if (exact || typeof x === "string") return exact?.y;
  const place = (value: number | string) => (axis.scale === "log" ? Math.log(Number(value)) : Number(value));
  const next = curve.findIndex((point) => place(point.x) > place(x));
  if (next <= 0) return undefined;
  const [before, after] = [curve[next - 1], curve[next]];
  const share = (place(x) - place(before.x)) / (place(after.x) - place(before.x));
  return before.y + (after.y - before.y) * share;
}

/** Returns a number of an axis with its unit. */
export function valueText({ unit, format }: PredictionAxis, value: number, precision = 3): string {
  const text = format?.(value) ?? numberText(value, precision);
  return unit ? `${text} ${unit}` : text;
}

/** Returns a place on an axis: "N = 128", or the word itself. */
export function placeText(axis: PredictionAxis, value: number | string): string {
  return typeof value === "string" ? value : `${axis.name ?? axis.label} = ${valueText(axis, value)}`;
}

/** Returns a sentence on the distance of a predicted curve from the answer: as a factor on a logarithmic axis. */
export function describeDistance(
  guess: readonly CurvePoint[],
  answer: readonly CurvePoint[],
  x: PredictionAxis,
  y: PredictionAxis,
): string {
  const isLog = y.scale === "log";
  const gaps = guess.flatMap((point) => {
    const height = heightAt(answer, point.x, x);
    if (height === undefined || (isLog && height <= 0)) return [];
    const size = isLog ? Math.abs(Math.log(point.y / height)) : Math.abs(point.y - height);
    return [{ ...point, height, size }];
  });
  if (gaps.length === 0) return "The answer has no value where your curve has points.";
  const mean = gaps.reduce((sum, { size }) => sum + size, 0) / gaps.length;
  const worst = gaps.reduce((largest, gap) => (gap.size > largest.size ? gap : largest));
  if (worst.size === 0) return "Your curve is exactly the answer.";
  const meanText = isLog ? `by a factor of ${numberText(Math.exp(mean), 2)}` : `by ${valueText(y, mean, 2)}`;
  return `Your curve is off ${meanText} on average; most at ${placeText(x, worst.x)}: you drew ${valueText(y, worst.y)}, the answer is ${valueText(y, worst.height)}.`;
}

/** Returns a sentence on the first and the last point of the answer. */
export function describeEnds(answer: readonly CurvePoint[], x: PredictionAxis, y: PredictionAxis): string {
  if (answer.length === 0) return "The answer has no points.";
  const [first, last] = [answer[0], answer[answer.length - 1]].map(
    (point) => `${valueText(y, point.y)} at ${placeText(x, point.x)}`,
  );
  return `The answer goes from ${first} to ${last}.`;
}
