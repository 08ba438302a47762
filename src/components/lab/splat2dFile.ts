import type { FileResult } from "../../engine/files/runDescription.js";
import { type Encoding, encodeByError, sizeOf } from "../../engine/files/splat2d/roundTrip.js";
import { backstage } from "../backstage/backstage.js";
import type { Look, Run } from "../training/run.js";

/** What takes long of a .splat2d file. */
const encoding: Encoding = {
  trialFile: (...given) => backstage("trialFile", ...given),
  fileByError: (...given) => backstage("fileByError", ...given),
};

/** A run's blobs as a .splat2d file, rounded by the run's error. */
export function splat2dFile({ config, target, draw }: Run, { picture, state }: Look): Promise<Uint8Array> {
  return encodeByError(config, state.parameters, picture, target.image, draw, encoding);
}

/** What such a file costs, and what it keeps, by reading it back. */
export async function measureSplat2d({ target, draw }: Run, bytes: Uint8Array): Promise<FileResult> {
  const drawn = await draw(await backstage("decodeSplat2d", bytes));
  return { ...sizeOf(bytes, target.image), psnr: await backstage("psnr", drawn, target.image) };
}
