// Reads regions and initializes their blobs in a thread of Node.
import { initialState } from "../../engine/training/initialState.js";
import { serveRequests } from "./port.js";
import type { RegionQuestion, RegionStart } from "./regions.js";
import { StagedImage } from "./stagedImage.js";

serveRequests(async ({ staged, colors, rect, config }: RegionQuestion): Promise<RegionStart> => {
  const stagedImage = await StagedImage.reopen(staged, colors);
  try {
    const image = await stagedImage.crop(rect);
    return { image, start: initialState(config, image).parameters };
  } finally {
    await stagedImage.close();
  }
});
