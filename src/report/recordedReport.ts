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
  const node = runReport(report, files);
  return sweep ? html`<div>${sweepReport(sweep, "#best-run")}<h2 id="best-run">Best run</h2>${node}</div>` : node;
}

/** Returns a link from a recorded run's page to the Compare page. */
export function compareLink(name: string): HTMLElement {
  return html`<a class="needs-script on-screen" href=${`../compare.html?run=${encodeURIComponent(name)}`}>Compare with other runs.</a>`;
}
