import { range } from "d3-array";
import type { ChartFrame } from "../../figures/plainChart.js";
import * as Plot from "../../figures/plot.js";
import { powerOfTen } from "../../page/numberText.js";
import { differenceErrors } from "./differenceErrors.js";
import { centralDifference, roundedDifference, type SlopeComparison, tolerance, weightedSum } from "./differences.js";
import type { StageAdjoint } from "./stageAdjoint.js";

export interface Settings {
  /** The decimal logarithm of h. */
  power: number;
  isMistaken: boolean;
  hasCharts: boolean;
  /** Half of the range that the charts show of the input, in its units; the whole range if 0. */
  closeUp: number;
}

/** The values of a stage's inputs, and the slopes there. */
export interface ChartPoint extends Pick<Settings, "closeUp"> {
  adjoint: StageAdjoint;
  x: readonly number[];
  /** The index of the chosen input. */
  input: number;
  /** The step of the differences, in units of each input. */
  h: number;
  slopes: SlopeComparison[];
}

export interface StagePoint extends Settings, ChartPoint {}

const layout = { marginBottom: 38, marginTop: 26, marginRight: 12, style: { fontSize: "12px" } };

const points = 160;

/** Returns a chart of the weighted outputs along one input, with the adjoint as the slope of a tangent. */
export function outputChart(frame: ChartFrame, { adjoint, x, input, slopes, h, closeUp }: ChartPoint): Element {
  const { low, high, symbol, unit, constraint } = adjoint.inputs[input];
  const slope = slopes[input].adjoint;
  const [first, end] =
    closeUp === 0
      ? [Math.min(low, x[input]), Math.max(high, x[input])]
      : [x[input] - closeUp * unit, x[input] + closeUp * unit];
  const valueAt = (value: number) => weightedSum(adjoint.forward(x.with(input, value)), adjoint.incoming);
  const curve = Array.from({ length: points + 1 }, (_, k) => first + ((end - first) * k) / points)
    .filter((value) => constraint?.allows(value) ?? true)
    .map((value) => ({ value, y: valueAt(value) }));
  const currentPoint = { value: x[input], y: valueAt(x[input]) };
  const tangentReach = 0.18 * (end - first);
  const tangent = [-tangentReach, tangentReach].map((offset) => ({
    value: currentPoint.value + offset,
    y: currentPoint.y + slope * offset,
  }));
  const differenceEnds = [-h * unit, h * unit].map((by) => ({
    value: currentPoint.value + by,
    y: valueAt(currentPoint.value + by),
  }));
  const heights = curve.map(({ y }) => y);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  const margin = 0.12 * (highest - lowest) || 0.5 * Math.abs(currentPoint.y) || 1;
  const power = exponentOf(Math.max(Math.abs(lowest), Math.abs(highest)));
  const scale = 10 ** power;
  return Plot.plot({
    ...frame,
    ...layout,
    marginLeft: 62,
    ariaLabel: `The weighted outputs along ${symbol}, with the adjoint's slope`,
    x: { label: `${symbol.replace("_", " ")} →`, domain: [first, end], ticks: 5 },
    y: {
      label: `↑ ${adjoint.outputs[0] === "L" ? "loss of the pixel" : "outputs, weighted"}${power === 0 ? "" : `, in units of ${powerOfTen(power)}`}`,
      transform: (value: number) => value / scale,
      domain: [(lowest - margin) / scale, (highest + margin) / scale],
      grid: true,
      ticks: 4,
    },
    marks: [
      Plot.lineY(curve, { x: "value", y: "y", stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.line(tangent, { x: "value", y: "y", stroke: "var(--current)", strokeWidth: 3, clip: true }),
      Plot.line(differenceEnds, { x: "value", y: "y", stroke: "var(--overflow)", strokeDasharray: "3 3", clip: true }),
      Plot.dot(differenceEnds, { x: "value", y: "y", r: 3, stroke: "var(--overflow)", clip: true }),
      Plot.dot([currentPoint], { x: "value", y: "y", r: 4, fill: "var(--current)" }),
    ],
  });
}

/** The range of h, as decimal logarithms. */
const [minExponent, maxExponent] = [-15, -0.5];
/** Smaller errors, including zero, are drawn at the lower edge. */
const [lowestError, highestError] = [1e-14, 1e2];

/** Returns a chart of the error of the central difference by its step, in float64 and rounded to float32. */
export function differenceErrorChart(frame: ChartFrame, { adjoint, x, input, slopes, h }: ChartPoint): Element {
  const exponents = range(minExponent, maxExponent + 0.25, 0.25);
  const [double, single] = [centralDifference, roundedDifference].map((difference) =>
    differenceErrors(adjoint, x, input, slopes[input].adjoint, exponents, difference).map(({ h, error }) => {
      return { h, error: Math.min(Math.max(error, lowestError), 1e15) };
    }),
  );
  const largestError = Math.max(highestError, ...[...double, ...single].map(({ error }) => error));
  const errors = [lowestError, 10 ** Math.ceil(Math.log10(largestError))];
  const tickFormat = (value: number) => (value === 1 ? "1" : powerOfTen(Math.round(Math.log10(value))));
  return Plot.plot({
    ...frame,
    ...layout,
    marginLeft: 52,
    ariaLabel: "Error of the central difference against its step, on logarithmic axes",
    x: {
      type: "log",
      label: "h, relative →",
      domain: [10 ** minExponent, 10 ** maxExponent],
      ticks: [1e-14, 1e-11, 1e-8, 1e-5, 1e-2],
      tickFormat,
    },
    y: {
      type: "log",
      label: "↑ error, relative to the adjoint",
      domain: errors,
      grid: true,
      ticks: [1e-12, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e12, 1e15].filter((tick) => tick <= errors[1]),
      tickFormat,
    },
    marks: [
      Plot.ruleY([tolerance], { stroke: "currentColor", strokeDasharray: "2 4" }),
      Plot.text(["tolerance"], { frameAnchor: "left", y: tolerance, textAnchor: "start", dx: 3, dy: 8 }),
      Plot.line(single, { x: "h", y: "error", stroke: "var(--overflow)", strokeDasharray: "4 3", clip: true }),
      Plot.line(double, { x: "h", y: "error", stroke: "var(--current)", strokeWidth: 2, clip: true }),
      Plot.ruleX([h], { stroke: "var(--current)", strokeWidth: 1.5 }),
      Plot.text(["h"], { frameAnchor: "bottom", x: h, fill: "var(--current)", dx: 8, dy: -8, fontWeight: 700 }),
    ],
  });
}

/** Returns the power of ten to divide numbers of a size by, a multiple of three; 0 for readable ones. */
function exponentOf(size: number): number {
  if (size === 0 || (size >= 0.01 && size < 1000)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}
