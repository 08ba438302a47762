import * as Plot from "@observablehq/plot";
import { extent } from "d3-array";
import { html } from "htl";
import { accent, muted, tint } from "../components/figures/cardLook.js";
import { count, counted, decibels, secondsCount } from "../components/page/format.js";
import { type FieldName, fieldOf, fields } from "../engine/fields.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { rankedRows } from "../engine/sweep/ranking.js";
import type { Sweep } from "../engine/sweep/sweep.js";
import type { SweptValue } from "../engine/sweep/sweptValues.js";
import { chartCard, look } from "./charts.js";
import { type Column, dataTable } from "./table.js";

type Row = SweepTable["rows"][number];

/**
 * Returns the report of a sweep: charts of PSNR against the swept settings, and a table of the runs, best first.
 * @param best address of the report of the best run
 */
export function sweepReport(title: string, { sweep, image, rows }: SweepTable, best: string): HTMLElement {
  const { vary } = sweep;
  const ranked = rankedRows(rows);
  const all = [...ranked, ...rows.filter((row) => !ranked.includes(row))];
  const named = ({ values }: Row) =>
    vary.map(({ field }, i) => `${labelOf(field)} ${shownValue(values[i])}`).join(", ");
  const varied = vary.flatMap(({ field, values }, i) => (values.length > 1 ? [{ field, i }] : []));
  const fieldsText = new Intl.ListFormat("en-GB").format(varied.map(({ field }) => labelOf(field).toLowerCase()));
  const size = `${count(image.width)} × ${count(image.height)} pixels`;
  const isGrid = vary.length === 2;
  const result = (head: string, text: (row: Row) => string): Column => ({
    head,
    isNumber: true,
    cell: (i) => (hasResult(all[i]) ? text(all[i]) : "–"),
  });
  const columns: Column[] = [
    ...vary.map(({ field }, at) => ({ head: labelOf(field), cell: (i: number) => shownValue(all[i].values[at]) })),
    result("PSNR, dB", shownPsnr),
    result("loss", ({ loss }) => String(Number(loss.toPrecision(3)))),
    result("seconds", ({ seconds }) => secondsCount(seconds)),
    result("steps", ({ step }) => count(step)),
    { head: "status", cell: (i) => all[i].sentence || all[i].status },
  ];
  return html`<header class="report">
    <h1>${title}</h1>
    <p class="report-summary">
      ${counted(rows.length, "run")} of ${image.name}, ${size}, one for each combination of ${fieldsText}.
      The best run reaches ${decibels(ranked[0].psnr)} with ${named(ranked[0])}: <a href=${best}>its report</a>.
    </p>
    <div class="grid grid-cols-3">
      ${isGrid ? heatMap(sweep, rows) : varied.map(({ i }) => settingChart(sweep, rows, i))}
      <div class="card grid-colspan-2"><h3>Ranking</h3>${dataTable("Ranking", columns, all.keys())}</div>
    </div>
  </header>`;
}

const labelOf = (field: FieldName) => fields[field].label;
const hasResult = ({ status }: Row) => status === "done" || status === "stopped";
const isFinished = ({ status, psnr }: Row) => status === "done" && Number.isFinite(psnr);
const shownPsnr = ({ psnr }: Row) => psnr.toFixed(2).replace("Infinity", "∞");
const shownValue = (value: SweptValue) =>
  typeof value === "number" ? String(value) : value.replace(/^(\d+)x(\d+)$/, "$1 × $2");

function axisLabel(field: FieldName): string {
  const { label, unit } = fieldOf(field);
  return unit ? `${label}, ${unit}` : label;
}

/** Returns a card with the PSNR of each combination of the values of two settings. */
function heatMap({ vary: [rows, columns] }: Sweep, runs: readonly Row[]): HTMLElement {
  const finished = runs.filter(isFinished);
  const place = { x: ({ values }: Row) => values[1], y: ({ values }: Row) => values[0] };
  const band = { type: "band", tickFormat: shownValue, tickSize: 0, padding: 0.04 } as const;
  const chart = Plot.plot({
    ...look,
    height: 46 * rows.values.length + 74,
    marginLeft: 90,
    marginRight: 0,
    marginTop: 30,
    marginBottom: 44,
    ariaLabel: `PSNR by ${axisLabel(rows.field)} and ${axisLabel(columns.field)}`,
    x: { ...band, domain: columns.values, label: axisLabel(columns.field) },
    y: { ...band, domain: rows.values, label: `↓ ${axisLabel(rows.field)}`, labelAnchor: "top" },
    color: {
      domain: extent(finished.map(({ psnr }) => psnr)) as number[],
      interpolate: (t: number) => tint(10 + 42 * t),
    },
    marks: [
      Plot.cell(runs, { ...place, fill: "var(--theme-background)", rx: 3 }),
      Plot.cell(finished, { ...place, fill: "psnr", rx: 3 }),
      Plot.text(runs, { ...place, text: (run: Row) => (run.status === "done" ? shownPsnr(run) : run.status) }),
    ],
  });
  return chartCard("PSNR", "Decibels.", chart);
}

/** Returns a card with the PSNR of all runs against one setting. Runs that were stopped are hollow. */
function settingChart({ vary }: Sweep, rows: readonly Row[], index: number): HTMLElement {
  const { field, values } = vary[index];
  const shown = rows.filter((row) => hasResult(row) && Number.isFinite(row.psnr));
  const best = Math.max(...shown.map(({ psnr }) => psnr));
  const { scale } = { scale: undefined, ...fieldOf(field) };
  const isNumeric = values.every((value) => typeof value === "number");
  const color = ({ psnr }: Row) => (psnr === best ? accent : muted);
  const chart = Plot.plot({
    ...look,
    marginBottom: 36,
    inset: 10,
    ariaLabel: `PSNR by ${axisLabel(field)}`,
    x: isNumeric
      ? { type: scale === "log" ? "log" : "linear", ticks: 4, label: null }
      : { type: "point", domain: values.map(shownValue), label: null },
    y: { label: null, tickSize: 0, grid: true, ticks: 5, tickFormat: "~g" },
    marks: [
      Plot.dot(shown, {
        x: (row: Row) => (isNumeric ? row.values[index] : shownValue(row.values[index])),
        y: "psnr",
        r: 4,
        stroke: color,
        fill: (row: Row) => (row.status === "done" ? color(row) : "none"),
        title: ({ psnr }: Row) => decibels(psnr),
      }),
    ],
  });
  return chartCard(labelOf(field), `${axisLabel(field)} and PSNR in decibels. Hollow: stopped early.`, chart);
}
