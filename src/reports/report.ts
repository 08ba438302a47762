// What the pages of recorded runs show.

export { listRecordedRuns, openRecordedRun, openRecordedSweep, recordedFile } from "../components/runs/recordedRuns.js";
export { readReport } from "../report/report.js";
export { recordedReport } from "../report/reports.js";
export { runIndex } from "../report/runIndex.js";
