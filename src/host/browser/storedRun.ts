import { RunRecord } from "../../engine/files/runRecord.js";
import { blobSource } from "./blobSource.js";
import type { RunStore, StoredRun } from "./runStore.js";

/**
 * Opens a run in the browser's storage.
 * @throws Error of one sentence, as do the record's methods
 */
export function openStoredRun(store: RunStore, { id, name }: StoredRun): Promise<RunRecord> {
  return RunRecord.open(blobSource(name, (file) => store.file(id, file)));
}
