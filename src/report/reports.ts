import { html } from "htl";
import { adapterName, count, decibels, secondsCount } from "../components/page/format.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { psnrCard } from "./charts.js";
import { embeddedFiles } from "./files.js";
import type { Report } from "./report.js";
import { runReport } from "./runReport.js";
import { dateOf, psnrOf } from "./summary.js";
import { sweepReport } from "./sweepReport.js";
import { sortedTable } from "./table.js";

/**
 * Returns the content of a one-file report: an article per run, below an overview if there are several.
 * @param sweep the sweep of which the run is the best
 */
export function reportsOf(title: string, reports: readonly Report[], sweep?: SweepTable): HTMLElement[] {
  const articles = reports.map((report, i) =>
    Object.assign(runReport(report, embeddedFiles(report)), { id: articleId(i) }),
  );
  if (sweep) return [sweepReport(title, sweep, `#${articleId(0)}`), ...articles];
  return reports.length > 1 ? [overview(title, reports), ...articles] : articles;
}

/** Returns the id of a run's article, by the run's index. */
export function articleId(run: number): string {
  return `run-${run}`;
}

/** Returns a chart and a table of several runs. */
function overview(title: string, reports: readonly Report[]): HTMLElement {
  const described = reports.map(({ description }) => description);
  const columns = [
    {
      head: "run",
      value: (i: number) => reports[i].name,
      show: (i: number) => html`<a href=${`#${articleId(i)}`}>${reports[i].name}</a>`,
    },
    { head: "image", value: (i: number) => described[i].image.name },
    { head: "width", value: (i: number) => described[i].image.width },
    { head: "height", value: (i: number) => described[i].image.height },
    { head: "preset", value: (i: number) => described[i].config.preset },
    {
      head: "blobs",
      value: (i: number) => described[i].config.blobs,
      show: (i: number) => count(described[i].config.blobs),
    },
    { head: "steps", value: (i: number) => described[i].step, show: (i: number) => count(described[i].step) },
    {
      head: "PSNR",
      value: (i: number) => psnrOf(described[i].result),
      show: (i: number) => decibels(psnrOf(described[i].result)),
    },
    {
      head: "seconds",
      value: (i: number) => described[i].timings.seconds,
      show: (i: number) => secondsCount(described[i].timings.seconds),
    },
    { head: "adapter", value: (i: number) => adapterName(described[i].adapter) },
    { head: "recorded", value: (i: number) => dateOf(described[i]) },
  ];
  return html`<header class="report">
    <h1>${title}</h1>
    ${psnrCard(reports)}
    <div class="card"><h3>Runs</h3>${sortedTable("Runs", reports.length, columns)}</div>
  </header>`;
}
