import { html } from "htl";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { anyReport } from "./anyReport.js";
import type { RegionsReport, Report } from "./report.js";
import type { ReportContext } from "./runReport.js";
import { sweepReport } from "./sweepReport.js";

/**
 * Returns the content of a recorded run's page.
 * @param sweep the sweep of which the run is the best
 */
export function recordedReport(
  report: Report | RegionsReport,
  context: ReportContext,
  sweep?: SweepTable,
): HTMLElement {
  const node = anyReport(report, context);
  return sweep ? html`<div>${sweepReport(sweep, "#best-run")}<h2 id="best-run">Best run</h2>${node}</div>` : node;
}

/** Returns a link from a recorded run's page to the Compare page. */
export function compareLink(name: string): HTMLElement {
  return html`<a class="needs-script on-screen" href=${`../compare.html?run=${encodeURIComponent(name)}`}>Compare with other runs.</a>`;
}
