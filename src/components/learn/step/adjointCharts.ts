import * as Plot from "@observablehq/plot";
import type { ChartFrame } from "../../liveChart.js";
import { powerOfTen } from "../numberText.js";
import { centralDifference, roundedDifference, tolerance, weighed } from "./differences.js";
import type { StageAdjoint } from "./stageAdjoint.js";

/** What the charts of a stage show: one input of it, and the slopes along it. */
export interface Along {
  adjoint: StageAdjoint;
  x: readonly number[];
  /** dL/d(outputs). */
  d: readonly number[];
  input: number;
  /** dL/d(input), as the backward function says. */
  slope: number;
  /** The distance of the difference, in units of the input. */
  h: number;
  /** Half of what is shown of the input, in its units; the whole range if absent. */
  closeUp: number | undefined;
}

const points = 160;

/** The outputs, weighed, along one input: with the adjoint as the line's slope here. */
export function alongChart(frame: ChartFrame, { adjoint, x, d, input, slope, h, closeUp }: Along): Element {
  const { low, high, symbol, unit, must } = adjoint.inputs[input];
  const [first, end] =
    closeUp === undefined
      ? [Math.min(low, x[input]), Math.max(high, x[input])]
      : [x[input] - closeUp * unit, x[input] + closeUp * unit];
  const valueAt = (value: number) => weighed(adjoint.forward(x.with(input, value)), d);
  const curve = Array.from({ length: points + 1 }, (_, k) => first + ((end - first) * k) / points)
    .filter((value) => must?.hold(value) ?? true)
    .map((value) => ({ value, y: valueAt(value) }));
  const here = { value: x[input], y: valueAt(x[input]) };
  const reach = 0.18 * (end - first);
  const tangent = [-reach, reach].map((by) => ({ value: here.value + by, y: here.y + slope * by }));
  const ends = [-h * unit, h * unit].map((by) => ({ value: here.value + by, y: valueAt(here.value + by) }));
  const heights = curve.map(({ y }) => y);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  const margin = 0.12 * (highest - lowest) || 0.5 * Math.abs(here.y) || 1;
  const power = exponentOf(Math.max(Math.abs(lowest), Math.abs(highest)));
  // As many as tell one tick from the next.
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10((highest - lowest + 2 * margin) / 5 / 10 ** power)), 0), 9);
  return Plot.plot({
    ...frame,
    marginLeft: 62,
    marginBottom: 38,
    marginTop: 26,
    marginRight: 12,
    style: { fontSize: "12px" },
    ariaLabel: `The weighed outputs along ${symbol}, with the adjoint's slope`,
    x: { label: `${plain(symbol)} →`, domain: [first, end], ticks: 5 },
    y: {
      label: `↑ outputs, weighed${power === 0 ? "" : `, in units of ${powerOfTen(power)}`}`,
      domain: [lowest - margin, highest + margin],
      grid: true,
      ticks: 4,
      tickFormat: (value: number) => (value / 10 ** power).toFixed(decimals),
    },
    marks: [
      Plot.lineY(curve, { x: "value", y: "y", stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.line(tangent, { x: "value", y: "y", stroke: "var(--current)", strokeWidth: 3, clip: true }),
      Plot.line(ends, { x: "value", y: "y", stroke: "var(--overflow)", strokeDasharray: "3 3", clip: true }),
      Plot.dot(ends, { x: "value", y: "y", r: 3, stroke: "var(--overflow)", clip: true }),
      Plot.dot([here], { x: "value", y: "y", r: 4, fill: "var(--current)" }),
    ],
  });
}

/** Decades of h that are tried. */
const [smallest, largest] = [-15, -0.5];
const perDecade = 4;
/** Errors that are drawn at the least; what is smaller, also zero, lies on the lower edge. */
const [lowestError, highestError] = [1e-14, 1e2];

/** The error of the difference against its distance, on logarithmic axes, in float64 and rounded to float32. */
export function stepChart(frame: ChartFrame, { adjoint, x, d, input, slope, h }: Along): Element {
  const { unit, must } = adjoint.inputs[input];
  const scale = Math.abs(slope);
  const rows: { precision: string; step: number; error: number }[] = [];
  for (let k = smallest * perDecade; k <= largest * perDecade; k++) {
    const step = 10 ** (k / perDecade);
    const isDefined = [-step, step].every((by) => must?.hold(x[input] + by * unit) ?? true);
    if (!isDefined) continue;
    for (const [precision, difference] of Object.entries({ float64: centralDifference, float32: roundedDifference })) {
      const error = Math.abs(difference(adjoint.forward, x, d, input, step * unit) - slope);
      // So close to x no other number may lie.
      if (Number.isNaN(error)) continue;
      // Where the adjoint is zero there is nothing to be relative to but the difference itself.
      const relative = error === 0 ? 0 : scale === 0 ? 1 : error / scale;
      rows.push({ precision, step, error: Math.min(Math.max(relative, lowestError), 1e15) });
    }
  }
  const most = rows.reduce((highest, { error }) => Math.max(highest, error), highestError);
  const errors = [lowestError, 10 ** Math.ceil(Math.log10(most))];
  const of = (precision: string) => rows.filter((row) => row.precision === precision);
  return Plot.plot({
    ...frame,
    marginLeft: 52,
    marginBottom: 38,
    marginTop: 26,
    marginRight: 12,
    style: { fontSize: "12px" },
    ariaLabel: "Error of the central difference against its step, on logarithmic axes",
    x: {
      type: "log",
      label: "h, relative →",
      domain: [10 ** smallest, 10 ** largest],
      ticks: [1e-14, 1e-11, 1e-8, 1e-5, 1e-2],
      tickFormat: power,
    },
    y: {
      type: "log",
      label: "↑ error, relative to the adjoint",
      domain: errors,
      grid: true,
      ticks: [-12, -9, -6, -3, 0, 3, 6, 9, 12, 15]
        .map((exponent) => 10 ** exponent)
        .filter((tick) => tick <= errors[1]),
      tickFormat: power,
    },
    marks: [
      Plot.ruleY([tolerance], { stroke: "currentColor", strokeDasharray: "2 4" }),
      Plot.text([{ x: 10 ** smallest, y: tolerance }], {
        x: "x",
        y: "y",
        text: () => "tolerance",
        textAnchor: "start",
        dx: 3,
        dy: 8,
      }),
      Plot.line(of("float32"), {
        x: "step",
        y: "error",
        stroke: "var(--overflow)",
        strokeDasharray: "4 3",
        clip: true,
      }),
      Plot.line(of("float64"), { x: "step", y: "error", stroke: "var(--current)", strokeWidth: 2, clip: true }),
      Plot.ruleX([h], { stroke: "var(--current)", strokeWidth: 1.5 }),
      Plot.text([{ x: h, y: errors[0] }], {
        x: "x",
        y: "y",
        text: () => "h",
        fill: "var(--current)",
        dx: 8,
        dy: -8,
        fontWeight: 700,
      }),
    ],
  });
}

function power(value: number): string {
  return value === 1 ? "1" : powerOfTen(Math.round(Math.log10(value)));
}

/** The power of ten by which numbers of this size are divided, a multiple of three; none for handy ones. */
function exponentOf(size: number): number {
  if (size === 0 || (size >= 0.01 && size < 1000)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}

/** A symbol without its notation. */
function plain(symbol: string): string {
  return symbol.replace("_", " ");
}
