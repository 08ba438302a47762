import type { FileResult } from "../../engine/files/runDescription.js";
import { fileSize } from "../../engine/files/splat2d/roundTrip.js";
import { sizeOf } from "../../engine/image/image.js";
import type { Inspection } from "../training/readbacks.js";
import type { Run } from "../training/run.js";
import { runInWorker } from "../worker/runInWorker.js";

/** Returns a run's blobs as a .splat2d file, as `encodeByError`. */
export async function splat2dFile({ config, target, draw }: Run, { render, state }: Inspection): Promise<Uint8Array> {
  const { image } = target;
  const { trial, read } = await runInWorker("trialFile", config, sizeOf(image), state.parameters);
  return runInWorker("fileByError", config, state.parameters, render, image, trial, await draw(read));
}

/** Returns the size of a .splat2d file, and the PSNR of its render. */
export async function measureSplat2d({ target, draw }: Run, bytes: Uint8Array): Promise<FileResult> {
  const rendered = await draw(await runInWorker("decodeSplat2d", bytes));
  return { ...fileSize(bytes, target.image), psnr: await runInWorker("psnr", rendered, target.image) };
}
