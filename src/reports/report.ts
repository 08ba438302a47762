// What the pages of recorded runs show.

export { listRecordedRuns, openRecordedRun, openRecordedSweep, recordedFile } from "../components/runs/recordedRuns.js";
export { fileLinks } from "../report/files.js";
export { fitPaper } from "../report/onPaper.js";
export { compareLink, recordedReport } from "../report/recordedReport.js";
export { readReport } from "../report/report.js";
export { runIndex } from "../report/runIndex.js";
