import type { FileResult } from "../../engine/files/runDescription.js";
import { type Encoding, encodeByError, fileSize } from "../../engine/files/splat2d/roundTrip.js";
import type { Inspection, Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

/** Encodes .splat2d files in the worker. */
const encoding: Encoding = {
  trialFile: (...args) => runInWorker("trialFile", ...args),
  fileByError: (...args) => runInWorker("fileByError", ...args),
};

/** Returns a run's blobs as a .splat2d file, quantized according to the error of the render. */
export function splat2dFile({ config, target, draw }: Run, { render, state }: Inspection): Promise<Uint8Array> {
  return encodeByError(config, state.parameters, render, target.image, draw, encoding);
}

/** Returns the size of a .splat2d file, and the PSNR of its render. */
export async function measureSplat2d({ target, draw }: Run, bytes: Uint8Array): Promise<FileResult> {
  const rendered = await draw(await runInWorker("decodeSplat2d", bytes));
  return { ...fileSize(bytes, target.image), psnr: await runInWorker("psnr", rendered, target.image) };
}
