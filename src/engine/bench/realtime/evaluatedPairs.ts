import { listCapacity, type TrainConfig } from "../../config.js";
import { subtile } from "../../gpu/binned/layout.js";
import type { Size } from "../../image/image.js";
import { decode, modelOf } from "../../model/blob.js";
import { deviations } from "../../model/bounds.js";
import { countPairs } from "../../model/pairs.js";
import { listsOf, renderOf } from "../../model/renderTasks.js";
import { meetsTile, pixelBlob } from "../../model/support.js";
import { calcUV, tileArea, tileGrid } from "../../model/uv.js";
import type { Program } from "./programs.js";

/** Pixel–blob pairs in one forward pass, by the set that a program evaluates. */
export interface EvaluatedPairs {
  /** Every pixel with every blob. */
  all: number;
  /** Blobs on the pixel's tile list, with a bounding box that overlaps the tile. */
  listed: number;
  /** Blobs with a support that overlaps the pixel's 8 × 4 subtile in `binned`. */
  met: number;
  /** Blobs with a support that contains the pixel. */
  supported: number;
  /** Of these, the ones blended before the pixel is opaque. */
  blended: number;
  /** Blobs on the longest tile list. */
  longest: number;
  /** Number of tiles with a list longer than its capacity. */
  overflowing: number;
  tiles: number;
}

/** Counts the pairs for given parameters. Slow for many blobs. */
export function countEvaluatedPairs(config: TrainConfig, parameters: ArrayLike<number>, image: Size): EvaluatedPairs {
  const render = renderOf(config, image);
  const { size } = render;
  const { across, offsets } = listsOf(render, parameters);
  const counts = { listed: 0, longest: 0, overflowing: 0 };
  for (let tile = 0; tile + 1 < offsets.length; tile++) {
    const length = offsets[tile + 1] - offsets[tile];
    counts.listed += length * pixelsOf(tile, across, config.tile, size);
    counts.longest = Math.max(counts.longest, length);
    if (length > listCapacity(config)) counts.overflowing++;
  }
  return {
    all: size.width * size.height * config.blobs,
    ...counts,
    met: countSubtilePairs(config, parameters, size),
    ...countPairs(config, parameters, size),
    tiles: offsets.length - 1,
  };
}

function countSubtilePairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size): number {
  const model = modelOf(config, size);
  const uv = calcUV(size, size);
  const { across, down } = tileGrid(size, subtile);
  let pairs = 0;
  for (let i = 0; i < config.blobs; i++) {
    const blob = decode(parameters, i, model);
    const projected = pixelBlob(blob, uv);
    const reachX = deviations / (blob.perDeviationX * uv.scaleX) + 1;
    const reachY = deviations / (blob.perDeviationY * uv.scaleY) + 1;
    const tileIndex = (pixel: number, side: number, tileCount: number) =>
      Math.min(Math.max(Math.floor(pixel / side), 0), tileCount - 1);
    const right = tileIndex(projected.centerX + reachX, subtile[0], across);
    const bottom = tileIndex(projected.centerY + reachY, subtile[1], down);
    for (let row = tileIndex(projected.centerY - reachY, subtile[1], down); row <= bottom; row++) {
      for (let column = tileIndex(projected.centerX - reachX, subtile[0], across); column <= right; column++) {
        if (meetsTile(projected, column, row, subtile)) pairs += pixelsOf(row * across + column, across, subtile, size);
      }
    }
  }
  return pairs;
}

function pixelsOf(tile: number, across: number, size: [number, number], image: Size): number {
  const { left, top, right, bottom } = tileArea(tile, across, size, image);
  return (right - left) * (bottom - top);
}

/** Returns the number of pairs that a program evaluates in each pass, ignoring early stops at opaque pixels. */
export function evaluatedPairCount(
  { pipeline }: Pick<Program, "pipeline">,
  { all, listed, met }: EvaluatedPairs,
): number {
  return { simple: all, tiled: listed, binned: met }[pipeline];
}

/** Returns the bytes of all states stored in a forward pass; 0 if the backward pass undoes the blend. */
export function storedStateBytes(program: Pick<Program, "pipeline" | "storesStates">, pairs: EvaluatedPairs): number {
  return program.storesStates ? 16 * evaluatedPairCount(program, pairs) : 0;
}
