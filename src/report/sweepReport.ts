import { html } from "htl";
import { plainChart } from "../components/figures/plainChart.js";
import { count, counted, decibels, secondsCount } from "../components/page/format.js";
import { type ChartRow, chartHeightOf, sweepChart } from "../components/sweep/sweepCharts.js";
import { axisLabel, shownValue, valueText } from "../components/sweep/sweepFields.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { rankedRows } from "../engine/sweep/ranking.js";
import { factTable } from "./facts.js";

/**
 * Returns the report of a sweep: a chart of PSNR against the swept settings, and a table of the runs, best first.
 * @param best address of the report of the best run
 */
export function sweepReport({ sweep, image, rows }: SweepTable, best: string): HTMLElement {
  const { vary, random, halving } = sweep;
  const ranked = rankedRows(rows);
  const named = ({ values }: { values: SweepTable["rows"][number]["values"] }) =>
    vary.map(({ field }, i) => valueText(field, values[i])).join(", ");
  const chartRows = rows.map((row): ChartRow => {
    const settings = Object.fromEntries(vary.map(({ field }, i) => [field, row.values[i]]));
    return { ...row, name: named(row), ...settings };
  });
  const fieldsText = vary.map(({ field }) => axisLabel(field)).join(" and ");
  const kind = random === undefined ? "one for each combination" : "with random combinations";
  const steps = rows.reduce((sum, { step }) => sum + step, 0);
  const search =
    halving === undefined
      ? ""
      : ` Successive halving: of ${halving} runs, the best one continued in each round; ${counted(steps, "step")} in all.`;
  const size = `${count(image.width)} × ${count(image.height)} pixels`;
  const heads = [...vary.map(({ field }) => axisLabel(field)), "PSNR", "loss", "seconds", "steps", "status"];
  const tableRow = (row: SweepTable["rows"][number]) => {
    const hasResult = row.status === "done" || row.status === "stopped";
    const results = hasResult
      ? [decibels(row.psnr), String(Number(row.loss.toPrecision(3))), secondsCount(row.seconds), count(row.step)]
      : ["–", "–", "–", "–"];
    return [...row.values.map(shownValue), ...results, row.sentence || row.status];
  };
  const others = rows.filter((row) => !ranked.includes(row));
  return html`<section class="sweep-report">
    <p class="report-summary">
      ${counted(rows.length, "run")} of ${image.name}, ${size}, ${kind} of ${fieldsText}.${search}
      The best run reaches ${decibels(ranked[0].psnr)} with ${named(ranked[0])}: <a href=${best}>its report</a>.
    </p>
    ${plainChart(`PSNR by ${fieldsText}`, chartHeightOf(sweep), ({ width }) => sweepChart(sweep, chartRows, "psnr", width)?.chart)}
    <h2>Ranking</h2>
    ${factTable(heads, [...ranked, ...others].map(tableRow))}
  </section>`;
}
