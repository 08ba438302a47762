import { FileAttachment } from "observablehq:stdlib";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import { readTableInThread } from "../../engine/files/tables.js";
import { RangedFile } from "../../host/browser/rangedFile.js";
import { decodeRunImage } from "../../host/browser/runImage.js";
import { RegionBlobs } from "../../host/regionBlobs.js";
import { FileError } from "../page/help.js";
import { maxBlobs } from "./regionImage.js";

const index = FileAttachment("../../reports/runs.json");

/** Returns the runs that the site publishes, the latest first. */
export async function listRecordedRuns(): Promise<RecordedRun[]> {
  return (await index.json()) as RecordedRun[];
}

/**
 * Opens a recorded run.
 * @param errorPrefix the start of error messages, before the reason
 */
export function openRecordedRun(
  { name, folder }: RecordedRun,
  errorPrefix = `The run ${name} cannot be shown: `,
): Promise<RunRecord> {
  return RunRecord.open({
    name,
    read: (file) => fetchRecorded(folder, file),
    readTable: readTableInThread,
    decode: decodeRunImage,
    refusal: (reason) => new FileError(errorPrefix + reason),
  });
}

/** Returns the sweep of which a recorded run is the best, if it is one. */
export async function openRecordedSweep({ name, sweptRuns }: RecordedRun): Promise<SweepTable | undefined> {
  if (sweptRuns === undefined) return undefined;
  return readTableInThread("sweep", await fetchRecorded(name, "sweep.arrow"));
}

async function fetchRecorded(folder: string, file: string): Promise<Uint8Array> {
  const response = await fetch(recordedFile(folder, file)).catch(() => undefined);
  if (!response?.ok) throw new Error(`${file} cannot be fetched.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Opens the blobs of a run in regions. Only the requested regions are fetched. */
export async function openRecordedRegions(run: RecordedRun): Promise<RegionBlobs> {
  const { folder, files } = run;
  const file = runFiles.parameters;
  const { bytes } = files.find((one) => one.name === file)!;
  const parameters = new RangedFile(recordedFile(folder, file), bytes, file);
  return RegionBlobs.open(await openRecordedRun(run, ""), parameters, maxBlobs);
}

/** Returns the URL of a file of a recorded run, by the run's folder. */
export function recordedFile(run: string, file: string): string {
  // A built site has recorded runs below data/, and attached files below _file/ with hashes in their names. The preview has
  // both below _file/ without hashes.
  const isPreview = new URL(index.href).pathname.endsWith("/runs.json");
  return new URL(`${isPreview ? "../" : "../../"}data/runs/${run}/${file}`, index.href).href;
}
