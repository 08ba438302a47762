import type { Background } from "../../config.js";
import type { Image, Size } from "../../image/image.js";
import { type BlobValues, lowestPower, type Model } from "../blob.js";
import { meetsTile, type PixelBlob } from "../support.js";

/** Rows of tiles of a picture that have lists at the same time: all of them where there is room, else some of them. */
export interface Band {
  /** Of the band, in pixels. */
  size: Size;
  /** Its first row of pixels. */
  top: number;
  imageHeight: number;
}

/** What the stages of shaders/binned/ are told by uniforms and overrides. The render is as large as the target. */
export interface BinnedJob {
  model: Model;
  background: Background;
  target: Image;
  /** Of the target: tiles and pixels of what the stages leave are counted from its first ones. */
  band: Band;
  tile: [number, number];
  shards: number;
  segmentLength: number;
  /** Pairs for which there is room: where there are more, all stages behind the first do nothing. */
  capacity: number;
  /** Whether a single pixel's gradient of a raw parameter can reach the clamp. */
  clamped: boolean;
  /** Adam's, at this step. */
  rates: ArrayLike<number>;
  corrections: [number, number];
}

/** A blob on the pixels. */
export type DrawnBlob = PixelBlob & Pick<BlobValues, "red" | "green" | "blue" | "opacity">;

/** A tile and a blob that meet: the shard of the tile's list, or `noShard` if they do not meet, and the place in it. */
export interface Intersection {
  /** tile · (shards + 1) + the shard's number. */
  shard: number;
  position: number;
  blob: number;
}

export const noShard = 0xffffffff;

/** A tile's part of the list buffer, and its first segment. */
export interface TileList {
  tile: number;
  first: number;
  count: number;
  firstSegment: number;
}

/** A part of a tile's list. */
export interface Segment {
  tile: number;
  first: number;
  count: number;
}

/** An entry of a tile's list: the numbers of the blob and of the pair, and the subtiles that it meets, a bit each. */
export interface Entry {
  blob: number;
  intersection: number;
  subtiles: number;
}

/** Four numbers a pixel. */
export type Vector = [number, number, number, number];

/**
 * What a pair adds to its blob's gradient. Of dL/dpower: its sum, and times x, y, x², xy, y² in pixels; then colours.
 * Where gradients may be clamped: the gradients of the nine raw parameters.
 */
export type Slot = [...Vector, ...Vector, number];

/**
 * The buffers of the kernels, by their names there, as each stage leaves them to the next. The type of what a stage
 * returns is all that the next one takes, so that a call out of order does not compile.
 */
export type Projected = LeftBy<"project"> & {
  parameters: Float32Array;
  firstMoments: Float32Array;
  secondMoments: Float32Array;
  /** Each blob, its first place for a pair, and the tiles around it that have one each: the first, and how many. */
  pixelBlobs: {
    blob: DrawnBlob;
    first: number;
    around: { column: number; row: number; across: number; down: number };
  }[];
  intersections: Intersection[];
  /**
   * Pairs of each tile, shard by shard, and the first blob of each shard, tile by tile; and, where tiles gather their
   * lists, a bit for each of a tile's blobs instead.
   */
  status: { tileCounts: Uint32Array; firstBlobs: Uint32Array; bits: Uint32Array; halted: boolean };
};

/** The parts of the list buffer. */
export interface ListLayout {
  /** Long ones first. */
  tileLists: TileList[];
  segments: Segment[];
}

export type Allocated = After<Projected, "allocateLists"> &
  ListLayout & {
    /** Where the entries of each shard begin and those of the last one end, tile by tile. */
    shardStarts: Uint32Array;
  };

export type Filled = After<Allocated, "fillLists"> & {
  /** Blob of each entry, then its pair and shard. */
  keys: Uint32Array;
  places: Uint32Array;
};

/** Stages 2 to 4 lead here, or the one that stands for them. */
export type Gathered = After<Projected, "gatherLists"> & ListLayout & { list: Entry[] };

export type Rasterized = After<Gathered, "rasterize"> & {
  /** The state of each pixel of a tile before each segment, and how many entries each subtile takes from there on. */
  segmentStates: { states: Vector[]; taken: number[] }[];
  /** Of each pixel of each tile, subtile by subtile: dL/dC, and dL/dC · C + dL/dT T at the end. */
  pixels: Vector[];
  tileStatistics: { squaredError: number; listLength: number }[];
};

export type Slotted = After<Rasterized, "rasterizeBackward"> & { slots: Slot[] };

export type Updated = After<Slotted, "updateBlobs"> & { gradients: Float32Array };

type LeftBy<Stage extends string> = {
  /** Never there: a type alone. */
  readonly leftBy?: Stage;
};

type After<Before, Stage extends string> = Omit<Before, "leftBy"> & LeftBy<Stage>;

/** Width and height of a subtile: the pixels of a tile for which blobs are worked on at a time. */
export const subtile: [number, number] = [8, 4];

/** The first pixels of a tile's subtiles, in their order. */
export function subtileOrigins({ band, tile: [width, height] }: BinnedJob, tile: number): { x: number; y: number }[] {
  const across = Math.ceil(band.size.width / width);
  const columns = Math.ceil(width / subtile[0]);
  return Array.from({ length: columns * Math.ceil(height / subtile[1]) }, (_, k) => ({
    x: (tile % across) * width + (k % columns) * subtile[0],
    y: Math.floor(tile / across) * height + Math.floor(k / columns) * subtile[1],
  }));
}

/** The pixels of a tile, subtile by subtile, and whether they belong to it and to the render. */
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

/** Which of a tile's subtiles a blob meets, a bit each. */
export function subtilesMet(job: BinnedJob, blob: DrawnBlob, tile: number): number {
  const met = subtileOrigins(job, tile).map(({ x, y }) => meetsTile(blob, x / subtile[0], y / subtile[1], subtile));
  return met.reduce((bits, meets, at) => (meets ? bits | (1 << (at % 32)) : bits), 0) >>> 0;
}

/** Words of the bits of a tile's blobs. */
export function wordsPerTile(blobs: number): number {
  return Math.ceil(blobs / 32);
}

/** The first blob of each shard, tile by tile, where all blobs are divided evenly. */
export function evenShards({ shards }: BinnedJob, blobs: number, tiles: number): Uint32Array {
  const perShard = 16 * Math.ceil(blobs / (16 * shards));
  return Uint32Array.from({ length: shards * tiles }, (_, k) => (k % shards) * perShard);
}

/** The shard of a tile's list that a blob belongs to: the last one whose first blob is not behind it. */
export function shardOf({ shards }: BinnedJob, firstBlobs: Uint32Array, tile: number, blob: number): number {
  return firstBlobs.subarray(tile * shards + 1, (tile + 1) * shards).findLastIndex((first) => first <= blob) + 1;
}

/** e^power of a blob at an offset in pixels; 0 outside the support. */
export function falloffAt({ conic: { xx, xy, yy } }: DrawnBlob, x: number, y: number): number {
  const power = xx * x * x + xy * x * y + yy * y * y;
  return power >= lowestPower * Math.LOG2E ? 2 ** power : 0;
}
