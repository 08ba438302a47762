import * as Plot from "@observablehq/plot";
import { html } from "htl";
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
 * Returns a chart of PSNR against the swept settings: a line for one setting, a heat map for a grid of two, and a panel
 * for each setting otherwise. It is undefined if no run has a result.
 */
export function sweepChart(sweep: Sweep, rows: readonly ChartRow[], width: number): Element | undefined {
  const finished = rows.filter(({ status, psnr }) => status === "done" && Number.isFinite(psnr));
  if (finished.length === 0) return undefined;
  if (!isGrid(sweep)) return settingPanels(sweep, rows, width);
  return sweep.vary.length === 1 ? lineChart(sweep, finished, width) : heatMap(sweep, rows, finished, width);
}

/** Returns whether a sweep has all combinations of one or two settings. */
export function isGrid({ vary, random }: Sweep): boolean {
  return vary.length <= 2 && random === undefined;
}

/** Height of a chart other than a heat map, in pixels. */
const panelHeight = 320;

/** Returns the height of a sweep's chart. */
export function chartHeightOf(sweep: Sweep): number {
  return isGrid(sweep) && sweep.vary.length === 2 ? 46 * sweep.vary[0].values.length + 74 : panelHeight;
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

/** Draws PSNR against each setting, next to each other. The best run is coloured, and runs that were stopped are hollow. */
function settingPanels({ vary }: Sweep, rows: readonly ChartRow[], width: number): Element {
  const shown = rows.filter(({ psnr }) => Number.isFinite(psnr));
  const best = Math.max(...shown.map(({ psnr }) => psnr));
  const varied = vary.filter(({ field }) => new Set(shown.map((row) => row[field])).size > 1);
  const panelWidth = Math.max(200, Math.floor(width / varied.length));
  const panels = varied.map(({ field, values }) => {
    const { scale } = { scale: undefined, ...fieldOf(field) };
    const isNumeric = values.every((value) => typeof value === "number");
    return Plot.plot({
      width: panelWidth,
      height: panelHeight,
      marginLeft: 48,
      marginBottom: 44,
      inset: 10,
      ariaLabel: `${psnrLabel} by ${axisLabel(field)}`,
      x: isNumeric
        ? { type: scale === "log" ? "log" : "linear", ticks: 3, label: axisLabel(field) }
        : { type: "point", domain: values.map(shownValue), label: axisLabel(field) },
      y: { label: psnrLabel, grid: true, ticks: 5, tickFormat: "~g" },
      marks: [
        Plot.dot(shown, {
          x: (row: ChartRow) => (isNumeric ? row[field] : shownValue(row[field]!)),
          y: "psnr",
          r: 4,
          stroke: ({ psnr }: ChartRow) => (psnr === best ? "var(--current)" : "var(--theme-foreground-muted)"),
          fill: ({ psnr, status }: ChartRow) => {
            if (status !== "done") return "none";
            return psnr === best ? "var(--current)" : "var(--theme-foreground-muted)";
          },
        }),
      ],
    });
  });
  return html`<div class="sweep-panels">${panels}</div>`;
}
