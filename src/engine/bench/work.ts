import { minShards, segmentLength } from "../gpu/binned/layout.js";
import { structOf } from "../gpu/structs.js";
import { parameterCount } from "../model/blobs.js";
import type { ShaderLibrary } from "../shaders.js";

/** A term of the work on one pixel–blob pair, with its operations in the forward and the backward pass. */
interface PairWork {
  what: string;
  formula: string;
  forward: number;
  backward: number;
}

/**
 * The minimal work on one pixel–blob pair, as in the kernels of `binned`: additions, multiplications, divisions and
 * powers of two on float32 count one each, a fused multiply-add two. Not counted: comparisons, minima, addresses,
 * loads, stores, and work per blob, pixel or list entry.
 */
export const pairWork: readonly PairWork[] = [
  { what: "offset from the centre", formula: "d = pixel − µ", forward: 2, backward: 2 },
  { what: "power", formula: "x (a x + b y) + c y²", forward: 7, backward: 7 },
  { what: "falloff", formula: "2^power", forward: 1, backward: 1 },
  { what: "opacity at the pixel", formula: "α = o · falloff", forward: 1, backward: 1 },
  { what: "weight", formula: "w = α · T", forward: 1, backward: 1 },
  { what: "accumulated colour", formula: "C + w · k", forward: 6, backward: 0 },
  { what: "transmittance behind it", formula: "T · (1 − α)", forward: 2, backward: 2 },
  { what: "projection of the colour on the loss gradient", formula: "g = C̄ · k", forward: 0, backward: 5 },
  { what: "remaining colour behind the blob", formula: "r − w · g", forward: 0, backward: 2 },
  { what: "gradient of the power", formula: "(T · g − r / (1 − α)) · α", forward: 0, backward: 4 },
  { what: "its spatial moments", formula: "times x, y, x², xy, y²", forward: 0, backward: 6 },
  { what: "gradient of the colour", formula: "w · C̄", forward: 0, backward: 3 },
  { what: "sums of nine gradients over the pixels", formula: "+", forward: 0, backward: 9 },
];

/** Operations on one pair in a training step. */
export const operationsPerPair = {
  forward: sumOperations(({ forward }) => forward),
  backward: sumOperations(({ backward }) => backward),
};

function sumOperations(operations: (work: PairWork) => number): number {
  return pairWork.reduce((total, work) => total + operations(work), 0);
}

/**
 * Returns the fraction of the measured peak that a rate of blended pairs reaches: pairs × operations per pair, over two
 * operations per multiply-add.
 * @param pairsPerSecond blended pairs, each with a forward and a backward pass
 */
export function fractionOfPeak(pairsPerSecond: number, multiplyAddsPerSecond: number): number {
  const { forward, backward } = operationsPerPair;
  return (pairsPerSecond * (forward + backward)) / (2 * multiplyAddsPerSecond);
}

/** The size of a step. */
interface StepSize {
  blobs: number;
  /** Pixels of the image. */
  pixels: number;
  /** Tile–blob intersections. */
  entries: number;
  /** Blended pixel–blob pairs. */
  blended: number;
  /** Pixels per tile. */
  tilePixels: number;
}

/** Operations on float32, and bytes moved between a kernel and memory, in one step. */
export interface StageWork {
  operations: number;
  bytes: number;
}

/** Bytes of a blob's parameters, and of its gradient and each of Adam's moments. */
const parameterBytes = 4 * parameterCount;
/** Bytes of a pixel's colour and transmittance. */
const pixelStateBytes = 16;

/**
 * Returns the work of each stage of the binned pipeline, with each input read once and each output written once. Stages
 * that only move integers have no operations. An unsorted entry, of key, intersection and shard, is as long as an
 * intersection. A blob takes about 70 operations to decode and 200 to update, and an overlap test with a tile or a
 * subtile of 32 pixels about 25.
 */
export function stageWork(
  { blobs, pixels, entries, blended, tilePixels }: StepSize,
  shaders: ShaderLibrary,
): Record<string, StageWork> {
  const bytesOf = (name: string) => structOf(shaders, name).bytes;
  const [blob, entry, slot, intersection] = ["PackedBlob", "Entry", "Slot", "Intersection"].map(bytesOf);
  const tiles = pixels / tilePixels;
  // The headers of tile lists and segments.
  const listHeaderBytes = tiles * bytesOf("TileList") + bytesOf("Segment") * (entries / segmentLength);
  const segmentStates = pixelStateBytes * tilePixels * (entries / segmentLength + tiles / 2);
  const { forward, backward } = operationsPerPair;
  return {
    rasterize: {
      operations: forward * blended,
      bytes: blobs * blob + entries * entry + pixels * (4 + pixelStateBytes) + segmentStates,
    },
    rasterizeBackward: {
      operations: backward * blended,
      bytes: blobs * blob + entries * (entry + slot) + pixels * pixelStateBytes + segmentStates,
    },
    updateBlobs: {
      operations: 270 * blobs + (9 + 25) * entries,
      bytes: entries * (slot + intersection) + blobs * (7 * parameterBytes + blob + 16),
    },
    // Per tile: each shard's count, read and cleared, the start of its entries, and the end of the last one's.
    allocateLists: { operations: 0, bytes: tiles * 4 * (3 * minShards + 1) + listHeaderBytes },
    fillLists: { operations: 0, bytes: entries * 2 * intersection + 4 * minShards * tiles },
    gatherLists: {
      operations: 25 * entries * (tilePixels / 32),
      bytes: (tiles * blobs) / 4 + blobs * blob + entries * entry + listHeaderBytes,
    },
    // Per tile: the start of each shard's entries, and its first blob for the next step.
    sortLists: {
      operations: 25 * entries * (tilePixels / 32),
      bytes: blobs * blob + entries * (intersection + entry) + 8 * minShards * tiles,
    },
  };
}
