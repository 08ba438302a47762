// Reads regions, and places their blobs, in a thread of Node.
import { parentPort } from "node:worker_threads";
import { initialState } from "../../engine/training/initialState.js";
import { answering } from "../askedWorker.js";
import type { RegionQuestion, RegionStart } from "./regions.js";
import { StagedPicture } from "./stagedPicture.js";

async function startOf({ staged, colors, rect, config }: RegionQuestion): Promise<RegionStart> {
  const picture = await StagedPicture.reopen(staged, colors);
  try {
    const image = await picture.part(rect);
    return { image, start: initialState(config, image).parameters };
  } finally {
    await picture.close();
  }
}

const hear = answering((message, transfer) => parentPort?.postMessage(message, transfer), startOf);
parentPort?.on("message", hear);
