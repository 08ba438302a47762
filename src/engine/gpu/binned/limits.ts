import { type AdapterLimits, ConfigError, maxBufferBytes, type TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { tileGrid } from "../../model/uv.js";
import { limitText } from "../../quoted.js";
import { structBytes } from "../structs.js";
import { intersectionsPerBlob, type Layout, layoutOf, segmentBytes, tilePixels, wordsPerTile } from "./layout.js";

/** Returns the number of tile–blob intersections that fit the adapter: no buffer may exceed one binding. */
export function maxIntersections(tiles: number, layout: Layout, limits: AdapterLimits, isTraining: boolean): number {
  const bytes = maxBufferBytes(limits);
  const byIntersections = Math.floor(bytes / Math.max(structBytes.Intersection, structBytes.Entry));
  if (!isTraining) return byIntersections;
  const bySlots = Math.floor(bytes / structBytes.Slot);
  const bySegments = layout.segmentLength * (Math.floor(bytes / segmentBytes(layout)) - tiles);
  return Math.max(0, Math.min(byIntersections, bySlots, bySegments));
}

/** Maximum bytes of the bits from which tiles gather their lists, also on larger adapters. */
const maxBitBytes = 2 ** 27;

/** Returns the number of intersections with initial capacity; a blob intersects each tile at most once. */
function initialIntersections(blobs: number, tiles: number): number {
  return Math.min(intersectionsPerBlob, tiles) * blobs;
}

/** Blobs per tile list if they cover the image several times, also if they are few. */
const typicalListLength = 32;

/**
 * Returns the number of tiles that have lists at the same time: those of all rows, or of half, a quarter and so on, until
 * the initial intersections, the pixels and the bits fit the adapter.
 */
export function tilesAtOnce(
  { blobs }: Pick<TrainConfig, "blobs">,
  size: Size,
  layout: Layout,
  limits: AdapterLimits,
  isTraining: boolean,
  gathers: boolean,
): number {
  const { across, down, count } = tileGrid(size, layout.tile);
  const fits = (rows: number) => {
    const tiles = across * rows;
    const byBlobs = (initialIntersections(blobs, count) * rows) / down;
    // One segment per tile alone would leave none for longer lists.
    const byTiles = isTraining ? typicalListLength * tiles : 0;
    const pixelBytes = 16 * tilePixels(layout.tile) * tiles;
    const bitBytes = gathers ? 4 * wordsPerTile(blobs) * tiles : 0;
    return (
      Math.max(byBlobs, byTiles) <= maxIntersections(tiles, layout, limits, isTraining) &&
      Math.max(pixelBytes, bitBytes + structBytes.Status) <= maxBufferBytes(limits) &&
      bitBytes <= maxBitBytes
    );
  };
  let rows = down;
  while (rows > 1 && !fits(rows)) rows = Math.ceil(rows / 2);
  return across * rows;
}

/**
 * Checks that the projected blobs, and at least one row of tiles with its lists, fit the adapter.
 * @param isTraining whether gradients are computed too
 * @throws ConfigError with the number of blobs or the width that would fit
 */
export function checkListsFit(config: TrainConfig, image: Size, limits: AdapterLimits, isTraining = true): void {
  const layout = layoutOf(config, image);
  const { across, down, count } = tileGrid(image, layout.tile);
  const capacity = maxIntersections(across, layout, limits, isTraining);
  if (capacity === 0) {
    // Half of the segments for the tiles, the others for longer lists.
    const width = Math.floor(maxBufferBytes(limits) / segmentBytes(layout) / 2) * layout.tile[0];
    const allowed = `at most ${limitText(width)} pixels wide in the binned pipeline on this adapter`;
    throw new ConfigError("image", `${image.width}x${image.height}`, allowed);
  }
  const byLists = Math.floor((down * capacity) / initialIntersections(1, count));
  const byBlobs = Math.floor(maxBufferBytes(limits) / structBytes.PackedBlob);
  const maxBlobs = Math.min(byLists, byBlobs);
  if (config.blobs <= maxBlobs) return;
  const reason = byLists < byBlobs ? ", with tiles and an image of this size" : "";
  const allowed = `at most ${limitText(maxBlobs)} in the binned pipeline on this adapter${reason}`;
  throw new ConfigError("blobs", config.blobs, allowed);
}
