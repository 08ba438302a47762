import { type Image, toImage } from "../../engine/image/image.js";
import { draw } from "../../engine/model/rasterize.js";
import { tiledBlobs } from "../../engine/model/tiledBlobs.js";
import type { Snapshot } from "./snapshotFile.js";

/** Returns the render of a snapshot, by the CPU reference. */
export function drawSnapshot({ config, image, state: { parameters } }: Snapshot): Image {
  const blobs = tiledBlobs(config, image, parameters);
  return toImage({ ...blobs.size, data: draw(blobs) });
}
