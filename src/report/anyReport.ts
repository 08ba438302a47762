import { html } from "htl";
import type { SweepTable } from "../engine/files/sweepFile.js";
import { regionsReport } from "./regionsReport.js";
import { isByRegions, type RegionsReport, type Report } from "./report.js";
import { type ReportContext, runReport } from "./runReport.js";
import { sweepReport } from "./sweepReport.js";

/**
 * Returns the report of a run, fitted in regions or not.
 * @param sweep the sweep of which the run is the best
 */
export function anyReport(report: Report | RegionsReport, context: ReportContext, sweep?: SweepTable): HTMLElement {
  const node = isByRegions(report) ? regionsReport(report, context) : runReport(report, context);
  return sweep ? html`<div>${sweepReport(sweep, "#best-run")}<h2 id="best-run">Best run</h2>${node}</div>` : node;
}
