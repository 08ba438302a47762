import type { Composite } from "../../config.js";
import type { Image, Size } from "../../picture/image.js";
import { type BlobValues, lowestPower, type Model } from "../blob.js";
import { meetsTile, type PixelBlob } from "../support.js";

/** Rows of tiles of a picture that have lists at the same time: all of them where there is room, else some of them. */
export interface Band {
  /** Of the band, in pixels. */
  size: Size;
  /** Its first row of pixels. */
  top: number;
  pictureHeight: number;
}

/** What the stages of shaders/binned/ are told by uniforms and overrides. The render is as large as the target. */
export interface BinnedJob {
  model: Model;
  composite: Composite;
  target: Image;
  /** Of the target: tiles and pixels of what the stages leave are counted from its first ones. */
  band: Band;
  tile: [number, number];
  copies: number;
  segmentLength: number;
  /** Adam's, at this step. */
  rates: ArrayLike<number>;
  corrections: [number, number];
}

/** A blob on the pixels. */
export type DrawnBlob = PixelBlob & Pick<BlobValues, "red" | "green" | "blue" | "opacity">;

/** A tile and a blob that meet, and the pair's place among those of its counter; the tile is `noTile` if there is none. */
export interface Pair {
  tile: number;
  position: number;
  blob: number;
}

export const noTile = 0xffffffff;

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
  pair: number;
  subtiles: number;
}

/** Four numbers a pixel. */
export type Vector = [number, number, number, number];

/** What a pair adds to its blob's gradient. Of dL/dpower: its sum, and times x, y, x², xy, y² in pixels; then colours. */
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
  pairs: Pair[];
  /**
   * Pairs of each tile, copy by copy; and a bit for each of its blobs, tile by tile, which stand in the same place where
   * tiles gather their lists. What else stands there, arrays tell here by their lengths.
   */
  status: { tileCounts: Uint32Array; bits: Uint32Array };
};

/** The parts of the list buffer. */
export interface Cut {
  /** Long ones first. */
  tileLists: TileList[];
  segments: Segment[];
}

export type Allocated = After<Projected, "allocateLists"> &
  Cut & {
    /** Where each copy's entries begin and the last one's end, tile by tile. */
    copyStarts: Uint32Array;
  };

export type Filled = After<Allocated, "fillLists"> & {
  /** Blob of each entry, then its pair and tile. */
  keys: Uint32Array;
  places: Uint32Array;
};

/** Stages 2 to 4 lead here, or the one that stands for them. */
export type Gathered = After<Projected, "gatherLists"> & Cut & { list: Entry[] };

export type Rasterized = After<Gathered, "rasterize"> & {
  /** The state of each pixel of a tile before each segment, and whether each subtile takes blobs of it. */
  segmentStates: { states: Vector[]; taken: boolean[] }[];
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
export function wordsOfTile(blobs: number): number {
  return Math.ceil(blobs / 32);
}

/** Which copy of the counters counts a blob's pairs. */
export function copyOf({ copies }: BinnedJob, blob: number, blobs: number): number {
  return Math.floor(blob / (16 * Math.ceil(blobs / (16 * copies))));
}

/** e^power of a blob at an offset in pixels; 0 outside the support. */
export function falloffAt({ conic: { xx, xy, yy } }: DrawnBlob, x: number, y: number): number {
  const power = xx * x * x + xy * x * y + yy * y * y;
  return power >= lowestPower * Math.LOG2E ? 2 ** power : 0;
}
