import * as Plot from "@observablehq/plot";
import { axisOf, positionOn } from "../components/figures/axes.js";
import { parallelAxes, pointsOn } from "../components/figures/parallelAxes.js";
import { type FieldName, fieldOf, fields } from "../engine/fields.js";
import type { Sweep, SweptResult } from "../engine/sweep/sweep.js";
import type { SweptValue } from "../engine/sweep/sweptValues.js";

/** Returns a value with its field's label, such as "Learning rate 0.01". */
export function valueText(field: FieldName, value: SweptValue): string {
  return `${fields[field].label} ${shownValue(value)}`;
}

/** Returns a value as text for an axis. */
export function shownValue(value: SweptValue): string {
  return typeof value === "number" ? String(value) : value.replace(/^(\d+)x(\d+)$/, "$1 × $2");
}

function axisLabel(field: FieldName): string {
  const { label, unit } = fieldOf(field);
  return unit ? `${label}, ${unit}` : label;
}

const psnrLabel = "PSNR, decibels";

/** A run in a chart: its result, and its swept values by field. */
export type ChartRow = Omit<SweptResult, "status"> & {
  status: string;
} & Partial<Record<FieldName, SweptValue>>;

/**
 * Returns a chart of PSNR against the swept settings: a line for one setting, a heat map for a grid of two, and parallel
 * coordinates for others. It is undefined if no run has a result.
 */
export function sweepChart(sweep: Sweep, rows: readonly ChartRow[], width: number): Element | undefined {
  const finished = rows.filter(({ status, psnr }) => status === "done" && Number.isFinite(psnr));
  if (finished.length === 0) return undefined;
  if (!isGrid(sweep)) return parallelSettings(sweep, rows, width);
  return sweep.vary.length === 1 ? lineChart(sweep, finished, width) : heatMap(sweep, rows, finished, width);
}

/** Returns whether a sweep has all combinations of one or two settings. */
export function isGrid({ vary, random }: Sweep): boolean {
  return vary.length <= 2 && random === undefined;
}

/** Returns the height of a sweep's chart. */
export function chartHeightOf(sweep: Sweep): number {
  return isGrid(sweep) && sweep.vary.length === 2 ? 46 * sweep.vary[0].values.length + 74 : 320;
}

function heatMap(sweep: Sweep, runs: readonly ChartRow[], finished: readonly ChartRow[], width: number): Element {
  const [rows, columns] = sweep.vary;
  const values = finished.map(({ psnr }) => psnr);
  const domain: [number, number] = [Math.min(...values), Math.max(...values)];
  const band = { type: "band", tickFormat: shownValue, tickSize: 0, padding: 0 } as const;
  const place = { x: columns.field, y: rows.field };
  return Plot.plot({
    width: Math.max(width, 100 + 58 * columns.values.length),
    height: chartHeightOf(sweep),
    marginLeft: 90,
    marginTop: 30,
    marginBottom: 44,
    ariaLabel: `${psnrLabel} by ${axisLabel(rows.field)} and ${axisLabel(columns.field)}`,
    x: { ...band, domain: columns.values, label: axisLabel(columns.field) },
    y: { ...band, domain: rows.values, label: `↓ ${axisLabel(rows.field)}`, labelAnchor: "top" },
    color: { domain, scheme: "viridis" },
    marks: [
      Plot.cell(runs, { ...place, fill: "var(--theme-background-alt)", inset: 1.5, rx: 3 }),
      Plot.cell(finished, { ...place, fill: "psnr", inset: 1.5, rx: 3 }),
      Plot.text(runs, {
        ...place,
        text: (run: ChartRow) => cellText(run),
        fill: textColor(domain),
        fontSize: 13,
      }),
    ],
  });
}

function lineChart(sweep: Sweep, finished: readonly ChartRow[], width: number): Element {
  const [{ field, values }] = sweep.vary;
  const place = { x: field, y: "psnr" };
  return Plot.plot({
    width,
    height: chartHeightOf(sweep),
    marginLeft: 60,
    insetTop: 26,
    insetBottom: 6,
    ariaLabel: `${psnrLabel} by ${axisLabel(field)}`,
    x: { type: "point", domain: values, label: axisLabel(field), tickFormat: shownValue },
    y: { label: psnrLabel, grid: true, ticks: 5, tickFormat: "~g" },
    marks: [
      typeof values[0] === "number" ? Plot.lineY(finished, { ...place, stroke: "var(--current)" }) : null,
      Plot.dot(finished, { ...place, r: 6, fill: "var(--current)" }),
      Plot.text(finished, { ...place, text: (run: ChartRow) => cellText(run), dy: -16, fontWeight: 600 }),
    ],
  });
}

/** Returns a run's value for a chart, or its status if it has none. */
function cellText({ status, psnr }: ChartRow): string {
  const text = Number.isFinite(psnr) ? psnr.toFixed(2) : "∞";
  return status === "done" ? text : status;
}

/** Returns a function that chooses black or white text on a run's colour of viridis; at 0.45 both contrast equally. */
function textColor([low, high]: [number, number]) {
  const middle = low + 0.45 * (high - low);
  return ({ status, psnr }: ChartRow) => {
    if (status !== "done" || !Number.isFinite(psnr)) return "var(--theme-foreground-muted)";
    return low < high && psnr < middle ? "white" : "black";
  };
}

/**
 * Draws a line per run through an axis per setting and one of PSNR. The line of the highest PSNR is coloured, and the others
 * are fainter the lower it is. Lines of unfinished runs are dashed.
 */
function parallelSettings({ vary }: Sweep, rows: readonly ChartRow[], width: number): Element {
  const shown = rows.filter(({ psnr }) => Number.isFinite(psnr));
  const result = "PSNR";
  const settings = vary.map(({ field }) => fieldOf(field));
  const values = shown.map((row) => ({
    ...Object.fromEntries(vary.map(({ field }, i) => [settings[i].label, settingOf(row[field]!)])),
    [result]: row.psnr,
  }));
  const log = settings.flatMap((field) => ("scale" in field && field.scale === "log" ? [field.label] : []));
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
  return chart;
}

const settingOf = (value: SweptValue) => (typeof value === "number" ? value : shownValue(value));
