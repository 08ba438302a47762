import { minShards, segmentLength } from "../gpu/binned/layout.js";
import { structOf } from "../gpu/structs.js";
import { parameterCount } from "../model/blobs.js";
import type { ShaderLibrary } from "../shaders.js";

/** A part of the work on one pair of a pixel and a blob: what it is, and its operations on the way there and back. */
interface PairWork {
  what: string;
  formula: string;
  forward: number;
  backward: number;
}

/**
 * What one pair of a pixel and a blob costs at the least, as the kernels of `binned` write it: additions,
 * multiplications, divisions and powers of two on float32, one each, so that a fused multiply-add counts two. Not
 * counted: comparisons, minima, addresses, loads and stores, and what is done once a blob, a pixel or a list entry.
 */
export const pairWork: readonly PairWork[] = [
  { what: "offset from the centre", formula: "d = pixel − µ", forward: 2, backward: 2 },
  { what: "power", formula: "x (a x + b y) + c y²", forward: 7, backward: 7 },
  { what: "falloff", formula: "2^power", forward: 1, backward: 1 },
  { what: "opacity at the pixel", formula: "α = o · falloff", forward: 1, backward: 1 },
  { what: "weight", formula: "w = α · T", forward: 1, backward: 1 },
  { what: "accumulated colour", formula: "C + w · c", forward: 6, backward: 0 },
  { what: "transmittance behind it", formula: "T · (1 − α)", forward: 2, backward: 2 },
  { what: "projection of the colour on the loss gradient", formula: "g = d · c", forward: 0, backward: 5 },
  { what: "remaining colour behind the blob", formula: "r − w · g", forward: 0, backward: 2 },
  { what: "gradient of the power", formula: "(T · g − r / (1 − α)) · α", forward: 0, backward: 4 },
  { what: "its spatial moments", formula: "times x, y, x², xy, y²", forward: 0, backward: 6 },
  { what: "gradient of the colour", formula: "w · d", forward: 0, backward: 3 },
  { what: "sums of nine gradients over the pixels", formula: "+", forward: 0, backward: 9 },
];

/** Operations on one pair in a training step, there and back. */
export const operationsPerPair = {
  forward: sumOperations(({ forward }) => forward),
  backward: sumOperations(({ backward }) => backward),
};

function sumOperations(operations: (work: PairWork) => number): number {
  return pairWork.reduce((total, work) => total + operations(work), 0);
}

/**
 * The share of the measured peak that a rate of blended pairs is: pairs × operations a pair, over two operations a
 * multiply-add.
 * @param pairsPerSecond pairs that are blended, each of them there and back
 */
export function fractionOfPeak(pairsPerSecond: number, multiplyAddsPerSecond: number): number {
  const { forward, backward } = operationsPerPair;
  return (pairsPerSecond * (forward + backward)) / (2 * multiplyAddsPerSecond);
}

/** What a step works on. */
interface StepSize {
  blobs: number;
  /** Of the picture. */
  pixels: number;
  /** Pairs of a tile and a blob. */
  entries: number;
  /** Pairs of a pixel and a blob that are blended. */
  blended: number;
  /** Of a tile. */
  tilePixels: number;
}

/** Operations on float32, and bytes that pass between a kernel and memory, in one step. */
export interface StageWork {
  operations: number;
  bytes: number;
}

/** A blob's parameters; its gradient, and each of Adam's moments. */
const parameterBytes = 4 * parameterCount;
/** Colour and transmittance of a pixel. */
const pixelStateBytes = 16;

/**
 * The work of each stage of the binned pipeline by its design: each input read once and each output written once. Stages
 * that only move whole numbers have no operations. An entry still to be sorted, of key, pair and shard, is as long as a
 * pair. Beside the pairs, a blob takes about 70 operations to decode and 200 to update, and a test whether it meets a
 * tile or a subtile of 32 pixels about 25.
 */
export function stageWork(
  { blobs, pixels, entries, blended, tilePixels }: StepSize,
  shaders: ShaderLibrary,
): Record<string, StageWork> {
  const bytesOf = (name: string) => structOf(shaders, name).bytes;
  const [blob, entry, slot, pair] = ["PackedBlob", "Entry", "Slot", "Intersection"].map(bytesOf);
  const tiles = pixels / tilePixels;
  // What tells of the parts of the list buffer.
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
      bytes: entries * (slot + pair) + blobs * (7 * parameterBytes + blob + 16),
    },
    // Of a tile: each shard's count, read and emptied, and where its entries begin and the last one's end.
    allocateLists: { operations: 0, bytes: tiles * 4 * (3 * minShards + 1) + listHeaderBytes },
    fillLists: { operations: 0, bytes: entries * 2 * pair + 4 * minShards * tiles },
    gatherLists: {
      operations: 25 * entries * (tilePixels / 32),
      bytes: (tiles * blobs) / 4 + blobs * blob + entries * entry + listHeaderBytes,
    },
    // Of a tile: where each shard's entries begin, and the first blob of each for the next step.
    sortLists: {
      operations: 25 * entries * (tilePixels / 32),
      bytes: blobs * blob + entries * (pair + entry) + 8 * minShards * tiles,
    },
  };
}
