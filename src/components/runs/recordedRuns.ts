import { FileAttachment } from "observablehq:stdlib";
import type { RecordedRun } from "../../engine/files/recordedRun.js";
import { RunRecord } from "../../engine/files/runRecord.js";
import type { SweepTable } from "../../engine/files/sweepFile.js";
import { readTableInThread } from "../../engine/files/tables.js";
import { decodeRunImage } from "../../host/browser/blobSource.js";
import { FileError } from "../page/help.js";

const index = FileAttachment("../../reports/runs.json");

/** Returns the runs that the site publishes, the latest first. */
export async function listRecordedRuns(): Promise<RecordedRun[]> {
  return (await index.json()) as RecordedRun[];
}

/** Opens a recorded run. */
export function openRecordedRun({ name, folder }: RecordedRun): Promise<RunRecord> {
  return RunRecord.open({
    name,
    read: (file) => fetchFile(recordedFile(folder, file), file),
    readTable: readTableInThread,
    decode: decodeRunImage,
    refusal: (reason) => new FileError(`The run ${name} cannot be shown: ${reason}`),
  });
}

/** @throws Error of one sentence that names the file */
async function fetchFile(address: string, name: string): Promise<Uint8Array> {
  const response = await fetch(address).catch(() => undefined);
  if (!response?.ok) throw new Error(`${name} cannot be fetched.`);
  return new Uint8Array(await response.arrayBuffer());
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
