import { FileAttachment } from "observablehq:stdlib";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import { readTableInThread } from "../../engine/files/tables.js";
import { decodeRunImage } from "../../host/browser/runImage.js";
import { fetchedRun, fetchFile } from "./fetchedRun.js";

const index = FileAttachment("../../reports/runs.json");

/** Returns the runs that the site publishes, the latest first. */
export async function listRecordedRuns(): Promise<RecordedRun[]> {
  return (await index.json()) as RecordedRun[];
}

/**
 * Opens a recorded run.
 * @param errorPrefix the start of error messages, before the reason
 */
export function openRecordedRun({ name, folder }: RecordedRun, errorPrefix?: string): Promise<RunRecord> {
  return RunRecord.open(fetchedRun(name, (file) => recordedFile(folder, file), decodeRunImage, errorPrefix));
}

/** Returns the sweep of which a recorded run is the best, if it is one. */
export async function openRecordedSweep({ name, sweptRuns }: RecordedRun): Promise<SweepTable | undefined> {
  if (sweptRuns === undefined) return undefined;
  const file = "sweep.arrow";
  return readTableInThread("sweep", await fetchFile(recordedFile(name, file), file));
}

/** Returns the URL of a file of a recorded run, by the run's folder. */
export function recordedFile(run: string, file: string): string {
  // A built site has recorded runs below data/, and attached files below _file/ with hashes in their names. The preview has
  // both below _file/ without hashes.
  const isPreview = new URL(index.href).pathname.endsWith("/runs.json");
  return new URL(`${isPreview ? "../" : "../../"}data/runs/${run}/${file}`, index.href).href;
}
