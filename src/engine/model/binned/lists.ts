import type { Background } from "../../config.js";
import type { Image, Size } from "../../image/image.js";
import { type BlobValues, lowestPower, type Model } from "../blob.js";
import { meetsTile, type PixelBlob } from "../support.js";

/** Rows of tiles that have lists at the same time: all of them if memory allows, otherwise some. */
export interface Band {
  /** Size of the band in pixels. */
  size: Size;
  /** Its first row of pixels. */
  top: number;
  imageHeight: number;
}

/** The uniforms and overrides of the stages in shaders/binned/. The render is as large as the target. */
export interface BinnedJob {
  model: Model;
  background: Background;
  target: Image;
  /** A band of the target; the outputs of the stages count tiles and pixels from its first ones. */
  band: Band;
  tile: [number, number];
  shards: number;
  segmentLength: number;
  /** Most intersections; if there are more, all stages after the first do nothing. */
  capacity: number;
  /** Whether a single pixel's gradient of a raw parameter can reach the clamp. */
  clamped: boolean;
  /** Adam's, at this step. */
  rates: ArrayLike<number>;
  corrections: [number, number];
}

/** A blob in pixels, with its colour and opacity. */
export type DrawnBlob = PixelBlob & Pick<BlobValues, "red" | "green" | "blue" | "opacity">;

/** A tile–blob intersection: the shard of the tile's list, or `noShard` if they do not meet, and the position in it. */
export interface Intersection {
  /** tile · (shards + 1) + the shard's number. */
  shard: number;
  position: number;
  blob: number;
}

export const noShard = 0xffffffff;

/** A tile's range of the list buffer, and its first segment. */
export interface TileList {
  tile: number;
  first: number;
  count: number;
  firstSegment: number;
}

/** A range of a tile's list. */
export interface Segment {
  tile: number;
  first: number;
  count: number;
}

/** An entry of a tile's list: the indices of the blob and of the intersection, and a bit for each subtile that it meets. */
export interface Entry {
  blob: number;
  intersection: number;
  subtiles: number;
}

/** Four numbers per pixel. */
export type Vector = [number, number, number, number];

/**
 * What an intersection adds to its blob's gradient: dL/dpower times 1, x, y, x², xy and y² in pixels, and the colours.
 * If gradients may be clamped: the gradients of the nine raw parameters.
 */
export type Slot = [...Vector, ...Vector, number];

/**
 * The buffers of the kernels, by their names there. Each stage takes only the type that the previous one returns, so a
 * call out of order does not compile.
 */
export type Projected = LeftBy<"project"> & {
  parameters: Float32Array;
  firstMoments: Float32Array;
  secondMoments: Float32Array;
  /** Each blob, its first intersection, and the tiles around it, with one intersection for each. */
  pixelBlobs: {
    blob: DrawnBlob;
    first: number;
    around: { column: number; row: number; across: number; down: number };
  }[];
  intersections: Intersection[];
  /**
   * Intersections of each tile, shard by shard, and the first blob of each shard, tile by tile. If tiles gather their
   * lists, a bit for each blob of each tile instead.
   */
  status: { tileCounts: Uint32Array; firstBlobs: Uint32Array; bits: Uint32Array; overflowed: boolean };
};

/** The ranges of the list buffer. */
export interface ListLayout {
  /** Long ones first. */
  tileLists: TileList[];
  segments: Segment[];
}

export type Allocated = After<Projected, "allocateLists"> &
  ListLayout & {
    /** The start of each shard and the end of the last one, tile by tile. */
    shardStarts: Uint32Array;
  };

export type Filled = After<Allocated, "fillLists"> & {
  /** The blob of each entry. */
  keys: Uint32Array;
  /** The intersection and the shard of each entry. */
  places: Uint32Array;
};

/** The result of stages 2 to 4, or of the one that replaces them. */
export type Gathered = After<Projected, "gatherLists"> & ListLayout & { list: Entry[] };

export type Rasterized = After<Gathered, "rasterize"> & {
  /** The state of each pixel of a tile before each segment, and the number of entries that each subtile takes after it. */
  segmentStates: { states: Vector[]; taken: number[] }[];
  /** For each pixel of each tile, subtile by subtile: dL/dC, and the final dL/dC · C + dL/dT T. */
  pixels: Vector[];
  tileStatistics: { squaredError: number; listLength: number }[];
};

export type Slotted = After<Rasterized, "rasterizeBackward"> & { slots: Slot[] };

export type Updated = After<Slotted, "updateBlobs"> & { gradients: Float32Array };

type LeftBy<Stage extends string> = {
  /** Only for the type; never set. */
  readonly leftBy?: Stage;
};

type After<Before, Stage extends string> = Omit<Before, "leftBy"> & LeftBy<Stage>;

/** Width and height of a subtile: the pixels of a tile that are processed together. */
export const subtile: [number, number] = [8, 4];

/** Returns the first pixel of each subtile of a tile. */
function subtileOrigins({ band, tile: [width, height] }: BinnedJob, tile: number): { x: number; y: number }[] {
  const across = Math.ceil(band.size.width / width);
  const columns = Math.ceil(width / subtile[0]);
  return Array.from({ length: columns * Math.ceil(height / subtile[1]) }, (_, k) => ({
    x: (tile % across) * width + (k % columns) * subtile[0],
    y: Math.floor(tile / across) * height + Math.floor(k / columns) * subtile[1],
  }));
}

/** Returns the pixels of a tile, subtile by subtile, and whether they are in the tile and in the render. */
export function pixelsOf(job: BinnedJob, tile: number): { x: number; y: number; isInside: boolean }[] {
  const { band, tile: size } = job;
  const [first] = subtileOrigins(job, tile);
  const right = Math.min(first.x + size[0], band.size.width);
  const bottom = Math.min(first.y + size[1], band.size.height);
  return subtileOrigins(job, tile).flatMap((origin) =>
    Array.from({ length: subtile[0] * subtile[1] }, (_, p) => {
      const x = origin.x + (p % subtile[0]);
      const y = origin.y + Math.floor(p / subtile[0]);
      return { x, y, isInside: x < right && y < bottom };
    }),
  );
}

/** Returns a bit for each subtile of a tile that a blob meets. */
export function subtilesMet(job: BinnedJob, blob: DrawnBlob, tile: number): number {
  const met = subtileOrigins(job, tile).map(({ x, y }) => meetsTile(blob, x / subtile[0], y / subtile[1], subtile));
  return met.reduce((bits, meets, at) => (meets ? bits | (1 << (at % 32)) : bits), 0) >>> 0;
}

/** Returns the number of words with a bit for each blob. */
export function wordsPerTile(blobs: number): number {
  return Math.ceil(blobs / 32);
}

/** Returns the first blob of each shard, tile by tile, if all blobs are divided evenly. */
export function evenShards({ shards }: BinnedJob, blobs: number, tiles: number): Uint32Array {
  const perShard = 16 * Math.ceil(blobs / (16 * shards));
  return Uint32Array.from({ length: shards * tiles }, (_, k) => (k % shards) * perShard);
}

/** Returns the shard of a blob in a tile's list: the last one that starts at or before the blob. */
export function shardOf({ shards }: BinnedJob, firstBlobs: Uint32Array, tile: number, blob: number): number {
  return firstBlobs.subarray(tile * shards + 1, (tile + 1) * shards).findLastIndex((first) => first <= blob) + 1;
}

/** Returns e^power of a blob at an offset in pixels, 0 outside the support. */
export function falloffAt({ conic: { xx, xy, yy } }: DrawnBlob, x: number, y: number): number {
  const power = xx * x * x + xy * x * y + yy * y * y;
  return power >= lowestPower * Math.LOG2E ? 2 ** power : 0;
}
