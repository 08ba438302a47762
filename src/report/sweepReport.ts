import { html } from "htl";
import { type ChartFrame, plainChart } from "../components/figures/plainChart.js";
import { count, counted, decibels, secondsCount } from "../components/page/format.js";
import { fields } from "../engine/fields.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { rankedRows } from "../engine/sweep/ranking.js";
import { factTable } from "./facts.js";
import { type ChartRow, chartHeightOf, isGrid, shownValue, sweepChart, valueText } from "./sweepCharts.js";

/**
 * Returns the report of a sweep: a chart of PSNR against the swept settings, and a table of the runs, best first.
 * @param best address of the report of the best run
 */
export function sweepReport({ sweep, image, rows }: SweepTable, best: string): HTMLElement {
  const { vary, random } = sweep;
  const ranked = rankedRows(rows);
  const named = ({ values }: { values: SweepTable["rows"][number]["values"] }) =>
    vary.map(({ field }, i) => valueText(field, values[i])).join(", ");
  const chartRows = rows.map((row): ChartRow => {
    const settings = Object.fromEntries(vary.map(({ field }, i) => [field, row.values[i]]));
    return { ...row, ...settings };
  });
  const varied = vary.filter(({ values }) => values.length > 1).map(({ field }) => fields[field].label.toLowerCase());
  const fieldsText = new Intl.ListFormat("en-GB").format(varied);
  const kind = random === undefined ? "one for each combination of" : "with random values of";
  const size = `${count(image.width)} × ${count(image.height)} pixels`;
  const heads = [...vary.map(({ field }) => fields[field].label), "PSNR, dB", "loss", "seconds", "steps", "status"];
  const tableRow = (row: SweepTable["rows"][number]) => {
    const hasResult = row.status === "done" || row.status === "stopped";
    const results = hasResult
      ? [
          row.psnr.toFixed(2).replace("Infinity", "∞"),
          String(Number(row.loss.toPrecision(3))),
          secondsCount(row.seconds),
          count(row.step),
        ]
      : ["–", "–", "–", "–"];
    return [...row.values.map(shownValue), ...results, row.sentence || row.status];
  };
  const others = rows.filter((row) => !ranked.includes(row));
  const draw = ({ width }: ChartFrame) => sweepChart(sweep, chartRows, width);
  const isPartial = rows.some(({ status }) => status === "stopped");
  const note = isPartial && !isGrid(sweep) ? "Hollow dots are runs that were stopped." : undefined;
  const chart = plainChart(`PSNR by ${fieldsText}`, chartHeightOf(sweep), draw, note);
  return html`<section class="sweep-report">
    <p class="report-summary">
      ${counted(rows.length, "run")} of ${image.name}, ${size}, ${kind} ${fieldsText}.
      The best run reaches ${decibels(ranked[0].psnr)} with ${named(ranked[0])}: <a href=${best}>its report</a>.
    </p>
    ${chart}
    <h2>Ranking</h2>
    ${factTable(heads, [...ranked, ...others].map(tableRow))}
  </section>`;
}
