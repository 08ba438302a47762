import { regionsReport } from "./regionsReport.js";
import { isByRegions, type RegionsReport, type Report } from "./report.js";
import { type ReportContext, type RunReport, runReport } from "./runReport.js";

/** Returns the report of a run, fitted in regions or not. */
export function anyReport(report: Report | RegionsReport, context: ReportContext): RunReport {
  return isByRegions(report) ? regionsReport(report, context) : runReport(report, context);
}
