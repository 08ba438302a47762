// Reads regions and initializes their blobs in a thread of Node.
import { parentPort } from "node:worker_threads";
import { initialState } from "../../engine/training/initialState.js";
import { answerRequests } from "../workerClient.js";
import type { RegionQuestion, RegionStart } from "./regions.js";
import { StagedImage } from "./stagedImage.js";

async function startOf({ staged, colors, rect, config }: RegionQuestion): Promise<RegionStart> {
  const stagedImage = await StagedImage.reopen(staged, colors);
  try {
    const image = await stagedImage.crop(rect);
    return { image, start: initialState(config, image).parameters };
  } finally {
    await stagedImage.close();
  }
}

const onMessage = answerRequests((message, transfer) => parentPort?.postMessage(message, transfer), startOf);
parentPort?.on("message", onMessage);
