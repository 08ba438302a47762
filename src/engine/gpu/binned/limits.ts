import { type AdapterLimits, ConfigError, type TrainConfig } from "../../config.js";
import { tileGrid } from "../../model/uv.js";
import type { Size } from "../../picture/image.js";
import type { ShaderLibrary } from "../shaders.js";
import { structOf } from "../structs.js";
import { type Layout, layoutOf, pairsPerBlob, segmentBytes } from "./layout.js";

/** How many pairs of a tile and a blob the adapter can hold: no buffer may be longer than one binding. */
export function mostPairs(
  tiles: number,
  layout: Layout,
  limits: AdapterLimits,
  shaders: ShaderLibrary,
  train: boolean,
): number {
  const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  const byEntries = Math.floor(bytes / structOf(shaders, "PackedBlob").bytes);
  if (!train) return byEntries;
  const bySlots = Math.floor(bytes / structOf(shaders, "Slot").bytes);
  const bySegments = layout.segmentLength * (Math.floor(bytes / segmentBytes(layout)) - tiles);
  return Math.max(0, Math.min(byEntries, bySlots, bySegments));
}

/**
 * Refuses a job whose lists the adapter cannot hold, naming the number of blobs that would fit.
 * @throws ConfigError
 */
export function checkListsFit(config: TrainConfig, image: Size, limits: AdapterLimits, shaders: ShaderLibrary): void {
  const layout = layoutOf(config, image);
  const { count } = tileGrid(image, layout.tile);
  const mostBlobs = (train: boolean) => Math.floor(mostPairs(count, layout, limits, shaders, train) / pairsPerBlob);
  const most = mostBlobs(true);
  if (most === 0) {
    // Half of the segments for the tiles, so that there is room for blobs.
    const bytes = Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    const side = Math.floor(Math.sqrt(Math.floor(bytes / segmentBytes(layout) / 2) * layout.tile[0] * layout.tile[1]));
    const allowed = `at most ${side}x${side}, or as many pixels, in the binned pipeline on this adapter`;
    throw new ConfigError("image", `${image.width}x${image.height}`, allowed);
  }
  const where = most < mostBlobs(false) ? ", with tiles and a picture of this size" : "";
  const allowed = `at most ${most} in the binned pipeline on this adapter${where}`;
  if (config.blobs > most) throw new ConfigError("blobs", config.blobs, allowed);
}
