import { html } from "htl";
import { chartHeight, plainChart } from "../components/figures/plainChart.js";
import { adapterName, count, decibels, secondsCount } from "../components/page/format.js";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { factTable } from "./facts.js";
import { embeddedFiles } from "./files.js";
import type { Report } from "./report.js";
import { recordedCurve, runLegend, runLines } from "./runCharts.js";
import { runReport } from "./runReport.js";
import { dateOf, psnrOf } from "./summary.js";
import { sweepReport } from "./sweepReport.js";

/**
 * Returns the content of a one-file report: an article per run, below an overview if there are several.
 * @param sweep the sweep of which the run is the best
 */
export function reportsOf(title: string, reports: readonly Report[], sweep?: SweepTable): HTMLElement[] {
  const articles = reports.map(
    (report, i) =>
      html`<article id=${articleId(i)}><h1>${report.name}</h1>${runReport(report, embeddedFiles(report))}</article>`,
  );
  if (sweep) return [html`<header><h1>${title}</h1>${sweepReport(sweep, `#${articleId(0)}`)}</header>`, ...articles];
  return reports.length > 1 ? [overview(title, reports), ...articles] : articles;
}

/** Returns the id of a run's article, by the run's index. */
export function articleId(run: number): string {
  return `run-${run}`;
}

/** Returns a table of several runs and a chart of their PSNR. */
function overview(title: string, reports: readonly Report[]): HTMLElement {
  const runs = reports.map(recordedCurve);
  const rows = reports.map(({ name, description }, i) => {
    const { config, image, step, timings, result, adapter } = description;
    const facts = [
      config.preset,
      count(config.blobs),
      count(step),
      decibels(psnrOf(result)),
      secondsCount(timings.seconds),
    ];
    const link = html`<a href=${`#${articleId(i)}`}>${name}</a>`;
    return [
      link,
      `${image.name}, ${image.width} × ${image.height}`,
      ...facts,
      adapterName(adapter),
      dateOf(description),
    ];
  });
  const table = factTable(["run", "image", "preset", "blobs", "steps", "PSNR", "seconds", "adapter", "recorded"], rows);
  return html`<header>
    <h1>${title}</h1>
    ${table}
    ${runLegend(runs.map(({ name }) => name))}
    ${plainChart("PSNR", chartHeight, (frame) => runLines(runs, "psnr", "step", frame))}
  </header>`;
}
