import * as Plot from "@observablehq/plot";
import { type FieldName, fieldOf } from "../../engine/fields.js";
import type { Sweep, SweptResult } from "../../engine/sweep/sweep.js";
import type { SweptValue } from "../../engine/sweep/sweptValues.js";
import { axisOf, positionOn } from "../figures/axes.js";
import { parallelAxes, pointsOn } from "../figures/parallelAxes.js";
import { axisLabel, type Measure, measures, shownValue } from "./sweepFields.js";

/** A run in a chart: its result, and its swept values by field. */
export type ChartRow = Omit<SweptResult, "status"> & {
  status: string;
  /** The swept values, such as "Learning rate 0.01, Blobs 100". */
  name: string;
} & Partial<Record<FieldName, SweptValue>>;

/** A chart with a mark of the class `runs` for each of some rows. */
interface SweepChart<Row> {
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
  const { label, type } = measures[measure];
  const values = finished.map((run) => run[measure]);
  const domain: [number, number] = [Math.min(...values), Math.max(...values)];
  const band = { type: "band", tickFormat: shownValue, tickSize: 0, padding: 0 } as const;
  const place = { x: columns.field, y: rows.field };
  const chart = Plot.plot({
    width: Math.max(width, 100 + 58 * columns.values.length),
    height: chartHeightOf(sweep),
    marginLeft: 90,
    marginTop: 30,
    marginBottom: 44,
    ariaLabel: `${label} by ${axisLabel(rows.field)} and ${axisLabel(columns.field)}`,
    x: { ...band, domain: columns.values, label: axisLabel(columns.field) },
    y: { ...band, domain: rows.values, label: `↓ ${axisLabel(rows.field)}`, labelAnchor: "top" },
    color: { type, domain, scheme: "viridis", label, legend },
    marks: [
      Plot.cell(runs, { ...place, fill: "var(--theme-background-alt)", inset: 1.5, rx: 3, className: "runs" }),
      Plot.cell(finished, { ...place, fill: measure, inset: 1.5, rx: 3, pointerEvents: "none" }),
      Plot.text(runs, {
        ...place,
        text: (run: Row) => cellText(run, measure),
        fill: textColor(type, domain, measure),
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
  const { label, type } = measures[measure];
  const place = { x: field, y: measure };
  const chart = Plot.plot({
    width,
    height: chartHeightOf(sweep),
    marginLeft: 60,
    insetTop: 26,
    insetBottom: 6,
    ariaLabel: `${label} by ${axisLabel(field)}`,
    x: { type: "point", domain: values, label: axisLabel(field), tickFormat: shownValue },
    y: { type, label, grid: true, ticks: 5, tickFormat: "~g" },
    marks: [
      typeof values[0] === "number" ? Plot.lineY(finished, { ...place, stroke: "var(--current)" }) : null,
      Plot.dot(finished, { ...place, r: 6, fill: "var(--current)", className: "runs" }),
      Plot.text(finished, { ...place, text: (run: Row) => cellText(run, measure), dy: -16, fontWeight: 600 }),
    ],
  });
  return { chart, rows: finished };
}

/** Returns a run's value for a chart, or its status if it has none. */
function cellText(run: ChartRow, measure: Measure): string {
  const text = Number.isFinite(run[measure]) ? measures[measure].text(run[measure]) : "∞";
  return run.status === "done" ? text : run.status;
}

/** Returns a function that chooses black or white text on a run's colour of viridis; at 0.45 both contrast equally. */
function textColor(type: "log" | undefined, [low, high]: [number, number], measure: Measure) {
  const scale = type === "log" ? Math.log : Number;
  const middle = scale(low) + 0.45 * (scale(high) - scale(low));
  return (run: ChartRow) => {
    if (run.status !== "done" || !Number.isFinite(run[measure])) return "var(--theme-foreground-muted)";
    return low < high && scale(run[measure]) < middle ? "white" : "black";
  };
}

/**
 * Draws a line of the class `runs` per run through an axis per setting and one of the measure. The highest line on the
 * last axis is coloured, and the others are fainter the lower they are on it. Lines of unfinished runs are dashed.
 */
function parallelSettings<Row extends ChartRow>(
  { vary }: Sweep,
  rows: readonly Row[],
  measure: Measure,
  width: number,
): SweepChart<Row> {
  const shown = rows.filter((row) => Number.isFinite(row[measure]));
  const { label, type } = measures[measure];
  const result = label.replace(/,.*/, "");
  const settings = vary.map(({ field }) => fieldOf(field));
  const values = shown.map((row) => ({
    ...Object.fromEntries(vary.map(({ field }, i) => [settings[i].label, settingOf(row[field]!)])),
    [result]: row[measure],
  }));
  const log = [
    ...settings.flatMap((field) => ("scale" in field && field.scale === "log" ? [field.label] : [])),
    ...(type === "log" ? [result] : []),
  ];
  const axes = [...settings.map((field) => field.label), result]
    .map((name) => axisOf(name, values, { log, flipped: [] }))
    .filter(({ name, domain }) => name === result || domain[0] !== domain.at(-1));
  const points = values.flatMap((row, line) => {
    const rank = positionOn(axes.at(-1)!, row[result])!;
    return pointsOn(axes, row).map((point) => ({ ...point, line, rank }));
  });
  const lines = Plot.line(points, {
    x: "axis",
    y: "position",
    z: "line",
    stroke: ({ rank }: { rank: number }) => (rank === 1 ? "var(--current)" : "var(--theme-foreground)"),
    strokeWidth: 2,
    strokeOpacity: ({ rank }: { rank: number }) => (rank === 1 ? 1 : 0.15 + 0.6 * rank),
    className: "runs",
  });
  const ariaLabel = `Parallel coordinates: ${axes.map(({ name }) => name).join(", ")}`;
  const chart = parallelAxes(axes, width, ariaLabel, [lines]);
  for (const [line, path] of chart.querySelectorAll(".runs > *").entries()) {
    if (shown[line].status !== "done") path.setAttribute("stroke-dasharray", "2 3");
  }
  return { chart, rows: shown };
}

const settingOf = (value: SweptValue) => (typeof value === "number" ? value : shownValue(value));
