import { html } from "htl";
import { count, decibels, secondsCount } from "../components/page/format.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { psnrCard } from "./charts.js";
import { type FileLink, fileLinks } from "./files.js";
import type { Report } from "./report.js";
import { runReport } from "./runReport.js";
import { psnrOf } from "./summary.js";
import { sweepReport } from "./sweepReport.js";
import { type Column, dataTable } from "./table.js";

/** A run's report, and where to download its files. */
export interface ReportWithFiles {
  report: Report;
  files: readonly FileLink[];
}

/**
 * Returns the content of a page of reports: an article per run, below an overview if there are several.
 * @param sweep the sweep of which the run is the best
 * @param links to other pages, next to the title of each run
 */
export function reportsOf(
  title: string,
  runs: readonly ReportWithFiles[],
  sweep?: SweepTable,
  links: () => Node | string = () => "",
): HTMLElement[] {
  const articles = runs.map(({ report, files }, i) =>
    Object.assign(runReport(report, fileLinks(files), links()), { id: articleId(i) }),
  );
  if (sweep) return [sweepReport(title, sweep, `#${articleId(0)}`), ...articles];
  const reports = runs.map(({ report }) => report);
  return runs.length > 1 ? [overview(title, reports), ...articles] : articles;
}

/** Returns the content of a recorded run's page. */
export function recordedReport(run: ReportWithFiles, sweep?: SweepTable): HTMLElement {
  const { name } = run.report;
  const links = () =>
    html`<nav class="row on-screen" aria-label="Other reports"><a href="./">All reports</a> <a href=${`../compare.html?run=${encodeURIComponent(name)}`}>Compare with other runs</a></nav>`;
  return html`<div>${reportsOf(name, [run], sweep, links)}</div>`;
}

/** Returns the id of a run's article, by the run's index. */
function articleId(run: number): string {
  return `run-${run}`;
}

/** Returns a chart and a table of several runs. */
function overview(title: string, reports: readonly Report[]): HTMLElement {
  const text = (head: string, of: (report: Report) => string): Column => ({ head, cell: (i) => of(reports[i]) });
  const number = (head: string, of: (report: Report) => string): Column => ({ ...text(head, of), isNumber: true });
  const columns = [
    { head: "run", cell: (i: number) => html`<a href=${`#${articleId(i)}`}>${reports[i].name}</a>` },
    number("PSNR", ({ description }) => decibels(psnrOf(description.result))),
    number("blobs", ({ description }) => count(description.config.blobs)),
    number("steps", ({ description }) => count(description.step)),
    number("seconds", ({ description }) => secondsCount(description.timings.seconds)),
    text("preset", ({ description }) => description.config.preset),
    text("image", ({ description: { image } }) => `${image.name}, ${image.width} × ${image.height}`),
  ];
  return html`<header class="report">
    <h1>${title}</h1>
    <div class="grid grid-cols-3">
      ${psnrCard(reports)}
      <div class="card grid-colspan-2"><h3>Runs</h3>${dataTable("Runs", columns, reports.keys())}</div>
    </div>
  </header>`;
}
