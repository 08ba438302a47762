import { open, stat } from "node:fs/promises";
import { runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import type { SliceableFile } from "../../host/arrowBatches.js";
import { RegionBlobs } from "../../host/regionBlobs.js";
import { fill } from "../largeFiles.js";
import { candidatePaths } from "../staging.js";

/**
 * Opens the blobs of a run that was fitted in regions.
 * @throws Failure with the reason if they cannot be read
 */
export async function openRegions(run: RunRecord, folder: string): Promise<RegionBlobs> {
  const [path] = candidatePaths(folder, runFiles.parameters).reverse();
  run.requireComplete();
  const { size } = await stat(path).catch(() => {
    throw run.source.refusal(`it has no ${runFiles.parameters}.`);
  });
  return RegionBlobs.open(run, pieces(path, size));
}

/** Returns a file that is read in slices, like a Blob. */
function pieces(path: string, size: number): SliceableFile {
  const read = async (start: number, end: number) => {
    await using file = await open(path);
    const bytes = new Uint8Array(Math.max(0, end - start));
    const length = await fill(file, bytes, start);
    return length < bytes.length ? bytes.buffer.slice(0, length) : bytes.buffer;
  };
  return { size, slice: (start, end) => ({ arrayBuffer: () => read(start, end) }) };
}
