import { regionsReport } from "./regionsReport.js";
import { isByRegions, type RegionsReport, type Report } from "./report.js";
import { type ReportPlace, runReport } from "./runReport.js";

/** The report of any run that the site publishes. */
export function anyReport(report: Report | RegionsReport, place: ReportPlace): HTMLElement {
  return isByRegions(report) ? regionsReport(report, place) : runReport(report, place);
}
