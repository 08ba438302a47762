import type { AdapterLimits, TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { tileGrid } from "../../model/uv.js";
import type { AdapterTraits } from "../adapter.js";

/** How the backward pass sums a blob's gradient over pixels: first within subgroups, if there are any. */
export type KernelVariant = "Subgroup" | "Workgroup";

/** What follows from the adapter and the job, unless a test chooses it. */
export interface BinnedOptions {
  variant?: KernelVariant;
  /** Limits of the buffers. */
  limits?: AdapterLimits;
  /** Whether tiles gather their lists, or intersections are counted and sorted, with the same bits. */
  gathers?: boolean;
}

export function variantOf({ isSoftware, subgroupSizes }: AdapterTraits): KernelVariant {
  // Four neighbours exchange values, so they have to be in one subgroup. Software adapters fail with subgroups.
  return !isSoftware && subgroupSizes && subgroupSizes[0] >= 4 ? "Subgroup" : "Workgroup";
}

/** Returns the number of blobs per workgroup: see shaders/binned/project.wgsl. */
export function blobsPerWorkgroup({ blobs }: TrainConfig): number {
  return 256 / threadsPerBlob(blobs);
}

/** Width and height of a subtile: the pixels of a tile that are processed together. */
export const subtile: [number, number] = [8, 4];

/** Tiles per workgroup in allocateLists, one thread each. */
export const tilesPerWorkgroup = 32;

/** Smaller tiles are joined in pairs, since their lists cost more than they save; further in large images. */
const minTilePixels = 128;
const minTilePixelsOfLarge = 256;
const largePixels = 2 ** 24;

/** Limits of the number of shards that count a tile's intersections, so that blobs do not contend for one counter. */
const minShards = 8;
const maxShards = 64;

/** Initial capacity in tile–blob intersections per blob, and the factor by which a capacity exceeds the need. */
export const intersectionsPerBlob = 8;
export const capacityFactor = 1.5;

/**
 * Entries per segment if GAUSSIANS_PER_BLOCK is auto: fewer for few blobs and tiles, to use the whole adapter; more in
 * large images, where most lists are shorter and the memory per segment matters more than the time of a few long lists.
 */
export const segmentLength = 32;
const segmentLengthOfMany = 64;
const segmentLengthOfLarge = 256;
const manyBlobs = 2 ** 17;
const manyPixels = 2 ** 20;

/** Returns the number of threads that sum a blob's slots: few blobs are large, with many tiles each. */
export function threadsPerBlob(blobs: number): number {
  if (blobs > 2048) return 16;
  return blobs > 512 ? 32 : 128;
}

/**
 * Returns the bytes that the forward pass stores per segment: pixel states, and the entries that each subtile blends.
 */
export function segmentBytes({ tile }: Layout): number {
  return 16 * (tilePixels(tile) + subtiles(tile));
}

/** Returns the number of shards of a tile's list: enough to keep each short, since it is sorted as a whole. */
export function shardCount({ blobs }: TrainConfig, tiles: number): number {
  const needed = 2 ** Math.ceil(Math.log2((intersectionsPerBlob * blobs) / tiles / 24));
  return Math.min(Math.max(needed, minShards), maxShards);
}

/** Maximum of bits, one per tile and blob, from which lists are gathered faster than sorted. */
const maxGatherBits = 2 ** 25;

/** Returns whether tiles gather their lists, which is faster than counting and sorting. */
export function gathersLists(config: TrainConfig, image: Size): boolean {
  return config.blobs * tileGrid(image, layoutOf(config, image).tile).count <= maxGatherBits;
}

/** The size of the tiles that have lists, and the length of the lists' segments. */
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

/** Returns the number of words with a bit for each blob. */
export function wordsPerTile(blobs: number): number {
  return Math.ceil(blobs / 32);
}

/** Returns the number of subtiles of a tile: see shaders/binned/lists.wgsl. */
export function subtiles([width, height]: [number, number]): number {
  return Math.ceil(width / subtile[0]) * Math.ceil(height / subtile[1]);
}

/** Returns the number of pixels that a tile's subtiles cover. */
export function tilePixels(tile: [number, number]): number {
  return subtile[0] * subtile[1] * subtiles(tile);
}

/** Returns a tile doubled along its shorter side until it has at least `pixels` pixels. */
export function joinedTile([width, height]: [number, number], pixels = minTilePixels): [number, number] {
  if (width * height >= pixels) return [width, height];
  return joinedTile(width <= height ? [2 * width, height] : [width, 2 * height], pixels);
}
