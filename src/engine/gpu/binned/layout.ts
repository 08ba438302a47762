import type { TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { subtile } from "../../model/binned/lists.js";
import { tileGrid } from "../../model/uv.js";
import type { AdapterTraits } from "../adapter.js";

/**
 * Where the pixels' parts of a blob's gradient come together on the way back: within subgroups at first, where there are
 * any; else in workgroup memory; in a thread that takes a whole segment, where a CPU plays the GPU. There barriers are
 * slow, and no other kernel of a step has any either.
 */
export type KernelVariant = "Subgroup" | "Workgroup" | "Thread";

export function variantOf({ isSoftware, subgroupSizes }: AdapterTraits): KernelVariant {
  if (isSoftware) return "Thread";
  // Four neighbours exchange values: whatever the size, as long as they are of one subgroup.
  return subgroupSizes && subgroupSizes[0] >= 4 ? "Subgroup" : "Workgroup";
}

/** How many blobs and segments a workgroup of the kernels that go by them takes: see shaders/binned/. */
export function itemsPerWorkgroup(variant: KernelVariant, { blobs }: TrainConfig) {
  if (variant === "Thread") return { blobs: 8, segments: 4 };
  return { blobs: 256 / threadsPerBlob(blobs), segments: 1 };
}

/** A thread each. */
export const tilesPerWorkgroup = 32;

/** Rows of statistics that a subtile has: one for each of its rows of pixels where a thread takes such a row. */
export function statisticsPerSubtile(variant: KernelVariant): number {
  return variant === "Thread" ? 4 : 1;
}

/** Lists of smaller tiles cost more than they save: such tiles are joined, two and two. In large pictures further. */
const minTilePixels = 128;
const minTilePixelsOfLarge = 256;
const largePixels = 2 ** 24;

/** Fewest and most shards in which the pairs of each tile are counted, so that blobs do not wait for one counter. */
export const minShards = 8;
const maxShards = 64;

/** Pairs of a tile and a blob for which there is room at first, a blob; and how much more than needed. */
export const intersectionsPerBlob = 8;
export const capacityFactor = 1.5;

/**
 * Entries of a segment where GAUSSIANS_PER_BLOCK is auto: fewer where blobs and tiles are so few that not every
 * part of the adapter would be at work; more in large pictures, where most lists are shorter, and what is kept for each
 * segment weighs more than the time of the few long lists.
 */
export const segmentLength = 32;
const segmentLengthOfMany = 64;
const segmentLengthOfLarge = 256;
const manyBlobs = 2 ** 17;
const manyPixels = 2 ** 20;

/** Threads that add up a blob's slots: few blobs are large ones, with many tiles each. */
export function threadsPerBlob(blobs: number): number {
  if (blobs > 2048) return 16;
  return blobs > 512 ? 32 : 128;
}

/** The state of each pixel before a segment, and how many of its entries each subtile takes. */
export function segmentBytes({ tile }: Layout): number {
  return 16 * (tilePixels(tile) + subtiles(tile));
}

/** Returns the number of shards of a tile's list: enough to keep each short, since it is sorted as a whole. */
export function shardCount({ blobs }: TrainConfig, tiles: number): number {
  const needed = 2 ** Math.ceil(Math.log2((intersectionsPerBlob * blobs) / tiles / 24));
  return Math.min(Math.max(needed, minShards), maxShards);
}

/** Bits, one for each tile and blob, up to which it is faster to gather lists from them. */
const maxGatherBits = 2 ** 25;

/** Whether tiles gather their lists, which takes less time than to count and sort pairs. Without barriers they cannot. */
export function gathersLists(variant: KernelVariant, config: TrainConfig, image: Size): boolean {
  const tiles = tileGrid(image, layoutOf(config, image).tile).count;
  return variant !== "Thread" && config.blobs * tiles <= maxGatherBits;
}

/** Tiles that have lists, and the length of the lists' segments. */
export interface Layout {
  tile: [number, number];
  segmentLength: number;
}

export function layoutOf({ tile, blobs, gaussiansPerBlock }: TrainConfig, { width, height }: Size): Layout {
  const pixels = width * height;
  const isLarge = pixels > largePixels;
  const many = blobs > manyBlobs || pixels > manyPixels ? segmentLengthOfMany : segmentLength;
  return {
    tile: joinedTile(tile, isLarge ? minTilePixelsOfLarge : minTilePixels),
    segmentLength: gaussiansPerBlock === "auto" ? (isLarge ? segmentLengthOfLarge : many) : gaussiansPerBlock,
  };
}

/** Subtiles of a tile: see shaders/binned/lists.wgsl. */
export function subtiles([width, height]: [number, number]): number {
  return Math.ceil(width / subtile[0]) * Math.ceil(height / subtile[1]);
}

/** Pixels that a tile's subtiles cover. */
export function tilePixels(tile: [number, number]): number {
  return subtile[0] * subtile[1] * subtiles(tile);
}

/** The tile, doubled along its shorter side until it is worth a list. */
export function joinedTile([width, height]: [number, number], pixels = minTilePixels): [number, number] {
  if (width * height >= pixels) return [width, height];
  return joinedTile(width <= height ? [2 * width, height] : [width, 2 * height], pixels);
}
