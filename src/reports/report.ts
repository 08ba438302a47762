// What the pages of recorded runs show.

export { listRecordedRuns, openRecordedRun, openRecordedSweep, recordedFile } from "../components/runs/recordedRuns.js";
export { fitPaper } from "../report/charts.js";
export { fileLinks } from "../report/files.js";
export { recordedReport } from "../report/recordedReport.js";
export { readReport } from "../report/report.js";
export { orders, runIndex } from "../report/runIndex.js";
