import { FileAttachment } from "observablehq:stdlib";
import { parseSnapshot, type Snapshot, type SnapshotFile } from "./snapshotFile.js";

const recorded = FileAttachment("../../learn/snapshot.json");

/** Returns the run that the figures of all chapters inspect. */
export async function readSnapshot(): Promise<Snapshot> {
  return parseSnapshot((await recorded.json()) as SnapshotFile);
}
