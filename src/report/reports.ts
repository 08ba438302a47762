import { chartHeight, plainChart } from "../components/figures/plainChart.js";
import { element } from "../components/page/element.js";
import { count, decibels, secondsCount } from "../components/page/format.js";
import { curveOf } from "../components/runs/curve.js";
import { factTable } from "./facts.js";
import { embeddedFiles } from "./files.js";
import type { Report } from "./report.js";
import type { OpenEngine } from "./rerun.js";
import { endOf, runLegend, runLines } from "./runCharts.js";
import { runReport } from "./runReport.js";
import { dateOf, psnrOf } from "./summary.js";

/**
 * Returns the content of a one-file report: an article per run, below an overview if there are several.
 * @param open opens an engine for training
 */
export function reportsOf(title: string, reports: readonly Report[], open: OpenEngine): HTMLElement[] {
  const articles = reports.map((report, i) => {
    const context = { open, hasCpu: false, files: embeddedFiles(report) };
    return element("article", { id: articleId(i) }, element("h1", {}, report.name), runReport(report, context));
  });
  return reports.length > 1 ? [overview(title, reports), ...articles] : articles;
}

/** Returns the id of a run's article, by the run's index. */
export function articleId(run: number): string {
  return `run-${run}`;
}

/** Returns a table of several runs and a chart of their PSNR. */
function overview(title: string, reports: readonly Report[]): HTMLElement {
  const runs = reports.map(({ name, description, rows }) => ({
    name,
    end: endOf(description),
    ...curveOf({ config: description.config, measured: rows }),
  }));
  const rows = reports.map(({ name, description }) => {
    const { config, image, step, timings, result, adapter } = description;
    const facts = [
      config.preset,
      count(config.blobs),
      count(step),
      decibels(psnrOf(result)),
      secondsCount(timings.seconds),
    ];
    return [name, `${image.name}, ${image.width} × ${image.height}`, ...facts, adapter, dateOf(description)];
  });
  const table = factTable(["run", "image", "preset", "blobs", "steps", "PSNR", "seconds", "adapter", "recorded"], rows);
  for (const [i, head] of table.querySelectorAll("tbody th").entries()) {
    head.replaceChildren(element("a", { href: `#${articleId(i)}` }, reports[i].name));
  }
  return element(
    "header",
    {},
    element("h1", {}, title),
    table,
    runLegend(runs.map(({ name }) => name)),
    plainChart("PSNR", chartHeight, (frame) => runLines(runs, "psnr", "step", frame)),
  );
}
