import { html } from "htl";
import type { SweepTable } from "../engine/files/sweepFile.js";
import type { Report } from "./report.js";
import { runReport } from "./runReport.js";
import { sweepReport } from "./sweepReport.js";

/**
 * Returns the content of a recorded run's page.
 * @param files links to the run's files
 * @param sweep the sweep of which the run is the best
 */
export function recordedReport(report: Report, files: HTMLElement, sweep?: SweepTable): HTMLElement {
  const { name } = report;
  const links = html`<nav class="controls on-screen" aria-label="Other reports"><a href="./">All reports</a> <a href=${`../compare.html?run=${encodeURIComponent(name)}`}>Compare with other runs</a></nav>`;
  const node = runReport(report, files, links);
  if (!sweep) return html`<div>${node}`;
  return html`<div>${sweepReport(name, sweep, "#best-run")}${Object.assign(node, { id: "best-run" })}`;
}
