import type { FileResult } from "../../engine/files/runDescription.js";
import { type Encoding, encodeByError, fileSize } from "../../engine/files/splat2d/roundTrip.js";
import type { Inspection, Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

/** What takes long of a .splat2d file. */
const encoding: Encoding = {
  trialFile: (...args) => runInWorker("trialFile", ...args),
  fileByError: (...args) => runInWorker("fileByError", ...args),
};

/** A run's blobs as a .splat2d file, rounded by the run's error. */
export function splat2dFile(
  { config, target, draw }: Run,
  { render: picture, state }: Inspection,
): Promise<Uint8Array> {
  return encodeByError(config, state.parameters, picture, target.image, draw, encoding);
}

/** What such a file costs, and what it keeps, by reading it back. */
export async function measureSplat2d({ target, draw }: Run, bytes: Uint8Array): Promise<FileResult> {
  const rendered = await draw(await runInWorker("decodeSplat2d", bytes));
  return { ...fileSize(bytes, target.image), psnr: await runInWorker("psnr", rendered, target.image) };
}
