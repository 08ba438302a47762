import * as Plot from "@observablehq/plot";
import { type FieldName, fieldOf } from "../../engine/fields.js";
import type { Sweep, SweptResult } from "../../engine/sweep/sweep.js";
import type { SweptValue } from "../../engine/sweep/sweptValues.js";
import { labelMarks } from "../figures/plot.js";
import { tickText } from "../page/numberText.js";
import { logTicks, roundedUp } from "../runs/logScale.js";
import { axisLabel, measures, shownValue } from "./sweepFields.js";

export type Measure = keyof typeof measures;

/** A run in a chart: its result, and its swept values by field. */
export type ChartRow = Omit<SweptResult, "status"> & {
  status: string;
  /** The swept values, such as "Learning rate 0.01, Blobs 100". */
  name: string;
} & Partial<Record<FieldName, SweptValue>>;

/** A chart with a mark of the class `runs` for each of some rows. */
export interface SweepChart<Row> {
  chart: Element;
  rows: readonly Row[];
}

/**
 * Returns a chart of a measure against the swept settings: a line for one setting, a heat map for a grid of two, and
 * parallel coordinates for others. It is undefined if no run has a result.
 * @param hasLegend whether a heat map has a legend of its colours
 */
export function sweepChart<Row extends ChartRow>(
  sweep: Sweep,
  rows: readonly Row[],
  measure: Measure,
  width: number,
  hasLegend = false,
): SweepChart<Row> | undefined {
  const finished = rows.filter((row) => row.status === "done" && Number.isFinite(row[measure]));
  if (finished.length === 0) return undefined;
  if (!isGrid(sweep)) return parallelSettings(sweep, rows, measure, width);
  return sweep.vary.length === 1
    ? lineChart(sweep, finished, measure, width)
    : heatMap(sweep, rows, finished, measure, width, hasLegend);
}

/** Returns whether a sweep has all combinations of one or two settings. */
export function isGrid({ vary, random }: Sweep): boolean {
  return vary.length <= 2 && random === undefined;
}

/** Returns the height of a sweep's chart. */
export function chartHeightOf(sweep: Sweep): number {
  return isGrid(sweep) && sweep.vary.length === 2 ? 46 * sweep.vary[0].values.length + 74 : 320;
}

function heatMap<Row extends ChartRow>(
  sweep: Sweep,
  runs: readonly Row[],
  finished: readonly Row[],
  measure: Measure,
  width: number,
  legend: boolean,
): SweepChart<Row> {
  const [rows, columns] = sweep.vary;
  const { label, ...scale } = measures[measure];
  const values = finished.map((run) => run[measure]);
  const color = {
    type: "type" in scale ? scale.type : undefined,
    domain: [Math.min(...values), Math.max(...values)] as [number, number],
  };
  const chart = Plot.plot({
    width: Math.max(width, 100 + 58 * columns.values.length),
    height: chartHeightOf(sweep),
    marginLeft: 90,
    marginTop: 30,
    marginBottom: 44,
    ariaLabel: `${label} by ${axisLabel(rows.field)} and ${axisLabel(columns.field)}`,
    x: {
      type: "band",
      domain: columns.values,
      label: axisLabel(columns.field),
      tickFormat: shownValue,
      tickSize: 0,
      padding: 0,
    },
    y: {
      type: "band",
      domain: rows.values,
      label: `↓ ${axisLabel(rows.field)}`,
      labelAnchor: "top",
      tickFormat: shownValue,
      tickSize: 0,
      padding: 0,
    },
    color: { ...color, scheme: "viridis", label, legend },
    marks: [
      Plot.cell(runs, {
        x: columns.field,
        y: rows.field,
        fill: "var(--theme-background-alt)",
        inset: 1.5,
        rx: 3,
        className: "runs",
      }),
      Plot.cell(finished, { x: columns.field, y: rows.field, fill: measure, inset: 1.5, rx: 3, pointerEvents: "none" }),
      Plot.text(runs, {
        x: columns.field,
        y: rows.field,
        text: (run: Row) => cellText(sweep, run, measure),
        fill: textColor(color, measure),
        fontSize: 13,
        pointerEvents: "none",
      }),
    ],
  });
  return { chart, rows: runs };
}

function lineChart<Row extends ChartRow>(
  sweep: Sweep,
  finished: readonly Row[],
  measure: Measure,
  width: number,
): SweepChart<Row> {
  const [{ field, values }] = sweep.vary;
  const { label, ...scale } = measures[measure];
  const chart = Plot.plot({
    width,
    height: chartHeightOf(sweep),
    marginLeft: 60,
    insetTop: 26,
    insetBottom: 6,
    ariaLabel: `${label} by ${axisLabel(field)}`,
    x: { type: "point", domain: values, label: axisLabel(field), tickFormat: shownValue },
    y: { type: "type" in scale ? scale.type : undefined, label, grid: true, ticks: 5, tickFormat: "~g" },
    marks: [
      typeof values[0] === "number" ? Plot.lineY(finished, { x: field, y: measure, stroke: "var(--current)" }) : null,
      Plot.dot(finished, { x: field, y: measure, r: 6, fill: "var(--current)", className: "runs" }),
      Plot.text(finished, {
        x: field,
        y: measure,
        text: (run: Row) => cellText(sweep, run, measure),
        dy: -16,
        fontWeight: 600,
      }),
    ],
  });
  return { chart, rows: finished };
}

/** Returns a run's value for a chart, or its status if it has none. */
export function cellText({ halving }: Sweep, run: ChartRow, measure: Measure): string {
  const text = Number.isFinite(run[measure]) ? measures[measure].text(run[measure]) : "∞";
  if (run.status === "stopped" && halving !== undefined) return `${text}\nstep ${run.step}`;
  return run.status === "done" ? text : run.status;
}

/** Returns a function that chooses black or white text on a run's colour of viridis; at 0.45 both contrast equally. */
function textColor({ type, domain: [low, high] }: { type?: "log"; domain: [number, number] }, measure: Measure) {
  const scale = type === "log" ? Math.log : Number;
  const middle = scale(low) + 0.45 * (scale(high) - scale(low));
  return (run: ChartRow) => {
    if (run.status !== "done" || !Number.isFinite(run[measure])) return "var(--theme-foreground-muted)";
    return low < high && scale(run[measure]) < middle ? "white" : "black";
  };
}

function parallelSettings<Row extends ChartRow>(
  { vary }: Sweep,
  rows: readonly Row[],
  measure: Measure,
  width: number,
): SweepChart<Row> {
  const shown = rows.filter((row) => Number.isFinite(row[measure]));
  const settings = vary.map(({ field }) => {
    const described = fieldOf(field);
    const isLog = "scale" in described && described.scale === "log";
    return { label: described.label, values: shown.map((row) => row[field]!), isLog };
  });
  const { label, ...scale } = measures[measure];
  const results = { label: label.replace(/,.*/, ""), values: shown.map((row) => row[measure]), isLog: "type" in scale };
  const axes = [...settings, results].filter(
    ({ values }, i, { length }) => i === length - 1 || new Set(values).size > 1,
  );
  const isFaint = shown.map(({ status }) => status !== "done");
  const chart = parallelCoordinates(axes, { width, names: shown.map(({ name }) => name), isFaint });
  return { chart, rows: shown };
}

/** An axis of parallel coordinates, with the value of each line. */
export interface ParallelAxis {
  label: string;
  values: readonly SweptValue[];
  /** Whether positive numbers have a logarithmic scale. */
  isLog?: boolean;
}

interface ParallelOptions {
  width: number;
  /** The name of each line. */
  names: readonly string[];
  isFaint: readonly boolean[];
}

/**
 * Returns parallel coordinates: a line of the class `runs` per value of the axes. The highest line on the last axis is
 * coloured, and the others are fainter the lower they are on it.
 */
export function parallelCoordinates(
  axes: readonly ParallelAxis[],
  { width, names, isFaint }: ParallelOptions,
): Element {
  const scales = axes.map(axisScale);
  const points = names.flatMap((_, line) =>
    axes.map(({ values }, i) => ({ line, axis: String(i), at: scales[i].position(values[line]) })),
  );
  const ticks = scales.flatMap(({ position, ticks }, i) =>
    ticks.map((value) => ({
      axis: String(i),
      at: position(value),
      text: typeof value === "number" ? tickText(value) : shownValue(value),
    })),
  );
  const last = scales.at(-1)!;
  const rankOf = (line: number) => last.position(axes.at(-1)!.values[line]);
  const labels = axes.map(({ label }, i) => ({ label, axis: String(i) }));
  const chart = Plot.plot({
    width: Math.max(width, 100 * axes.length),
    height: 320,
    marginTop: 34,
    marginBottom: 12,
    marginLeft: 0,
    marginRight: 0,
    ariaLabel: `Parallel coordinates: ${axes.map(({ label }) => label).join(", ")}`,
    x: { type: "point", domain: labels.map(({ axis }) => axis), padding: 0.6, axis: null },
    y: { domain: [0, 1], axis: null },
    color: { type: "identity" },
    opacity: { type: "identity" },
    marks: [
      Plot.ruleX(labels, { x: "axis", stroke: "var(--theme-foreground-muted)" }),
      Plot.text(labels, { x: "axis", text: "label", frameAnchor: "top", dy: -24, fontWeight: 600 }),
      Plot.line(points, {
        x: "axis",
        y: "at",
        z: "line",
        stroke: ({ line }: { line: number }) => (rankOf(line) === 1 ? "var(--current)" : "var(--theme-foreground)"),
        strokeWidth: 2,
        strokeOpacity: ({ line }: { line: number }) => (rankOf(line) === 1 ? 1 : 0.15 + 0.6 * rankOf(line)),
        className: "runs",
      }),
      Plot.text(ticks, {
        x: "axis",
        y: "at",
        text: "text",
        textAnchor: "end",
        dx: -5,
        fill: "var(--theme-foreground)",
        stroke: "var(--theme-background)",
      }),
    ],
  });
  for (const [line, path] of chart.querySelectorAll(".runs > *").entries()) {
    if (isFaint[line]) path.setAttribute("stroke-dasharray", "2 3");
  }
  return labelMarks(chart);
}

/** Returns the ticks of an axis, and where its values are, from 0 to 1. */
function axisScale({ values, isLog }: ParallelAxis) {
  const distinct = [...new Set(values)];
  if (!distinct.every((value) => typeof value === "number")) {
    const position = (value: SweptValue) =>
      distinct.length > 1 ? distinct.indexOf(value) / (distinct.length - 1) : 0.5;
    return { position, ticks: distinct };
  }
  const [low, high] = [Math.min(...distinct), Math.max(...distinct)];
  const transform = isLog && low > 0 ? Math.log : Number;
  const span = transform(high) - transform(low);
  const position = (value: SweptValue) => (span > 0 ? (transform(Number(value)) - transform(low)) / span : 0.5);
  if (distinct.length <= 6) return { position, ticks: distinct };
  const step = roundedUp((high - low) / 5);
  const first = Math.ceil(low / step);
  const even = Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  return { position, ticks: transform === Math.log ? logTicks(low, high) : even };
}
