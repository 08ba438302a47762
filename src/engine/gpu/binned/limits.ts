import { type AdapterLimits, ConfigError, maxBufferBytes, type TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { wordsPerTile } from "../../model/binned/lists.js";
import { tileGrid } from "../../model/uv.js";
import type { ShaderLibrary } from "../../shaders.js";
import { structOf } from "../structs.js";
import { intersectionsPerBlob, type Layout, layoutOf, segmentBytes, tilePixels } from "./layout.js";

/** How many pairs of a tile and a blob the adapter can hold: no buffer may be longer than one binding. */
export function maxIntersections(
  tiles: number,
  layout: Layout,
  limits: AdapterLimits,
  shaders: ShaderLibrary,
  isTraining: boolean,
): number {
  const bytes = maxBufferBytes(limits);
  const byIntersections = Math.floor(
    bytes / Math.max(...["Intersection", "Entry"].map((name) => structOf(shaders, name).bytes)),
  );
  if (!isTraining) return byIntersections;
  const bySlots = Math.floor(bytes / structOf(shaders, "Slot").bytes);
  const bySegments = layout.segmentLength * (Math.floor(bytes / segmentBytes(layout)) - tiles);
  return Math.max(0, Math.min(byIntersections, bySlots, bySegments));
}

/** Bytes of the status of a view, however much the adapter can hold. */
const maxStatusBytes = 2 ** 27;

/** How many tiles may gather their lists at a time: a bit for each of them and each blob stands in the status. */
export function maxGatheringTiles(blobs: number, limits: AdapterLimits, shaders: ShaderLibrary): number {
  const bytes = Math.min(maxStatusBytes, maxBufferBytes(limits)) - structOf(shaders, "Status").bytes;
  return Math.floor(bytes / 4 / wordsPerTile(blobs));
}

/** A blob meets each tile once. */
function initialIntersections(blobs: number, tiles: number): number {
  return Math.min(intersectionsPerBlob, tiles) * blobs;
}

/** Blobs in the list of a tile where they cover the picture some times over, however few they are. */
const typicalListLength = 32;

/**
 * How many rows of tiles of a picture are to have lists at the same time: all of them, or half, a quarter and so on until
 * the adapter can hold as many pairs as there may be at first, and their pixels.
 */
export function rowsAtOnce(
  { blobs }: Pick<TrainConfig, "blobs">,
  size: Size,
  layout: Layout,
  limits: AdapterLimits,
  shaders: ShaderLibrary,
  isTraining: boolean,
): number {
  const { across, down, count } = tileGrid(size, layout.tile);
  const fits = (rows: number) => {
    const most = maxIntersections(across * rows, layout, limits, shaders, isTraining);
    const byBlobs = (initialIntersections(blobs, count) * rows) / down;
    // Segments for the tiles alone would leave none for what their lists hold.
    const byTiles = isTraining ? typicalListLength * across * rows : 0;
    const bytes = 16 * tilePixels(layout.tile) * across * rows;
    return Math.max(byBlobs, byTiles) <= most && bytes <= maxBufferBytes(limits);
  };
  let rows = down;
  while (rows > 1 && !fits(rows)) rows = Math.ceil(rows / 2);
  return rows;
}

/**
 * Refuses a job whose blobs on the pixels the adapter cannot hold, or of whose tiles not even one row with its lists,
 * naming the number of blobs or the width that would fit.
 * @param isTraining whether gradients are wanted too
 * @throws ConfigError
 */
export function checkListsFit(
  config: TrainConfig,
  image: Size,
  limits: AdapterLimits,
  shaders: ShaderLibrary,
  isTraining = true,
): void {
  const layout = layoutOf(config, image);
  const { across, down, count } = tileGrid(image, layout.tile);
  const most = maxIntersections(across, layout, limits, shaders, isTraining);
  if (most === 0) {
    // Half of the segments for the tiles, so that there is room for blobs.
    const width = Math.floor(maxBufferBytes(limits) / segmentBytes(layout) / 2) * layout.tile[0];
    const allowed = `at most ${width} pixels wide in the binned pipeline on this adapter`;
    throw new ConfigError("image", `${image.width}x${image.height}`, allowed);
  }
  const byLists = Math.floor((down * most) / initialIntersections(1, count));
  const byBlobs = Math.floor(maxBufferBytes(limits) / structOf(shaders, "PackedBlob").bytes);
  const maxBlobs = Math.min(byLists, byBlobs);
  if (config.blobs <= maxBlobs) return;
  const reason = byLists < byBlobs ? ", with tiles and a picture of this size" : "";
  throw new ConfigError("blobs", config.blobs, `at most ${maxBlobs} in the binned pipeline on this adapter${reason}`);
}
