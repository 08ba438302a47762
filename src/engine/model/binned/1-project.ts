import { decodeAll } from "../blob.js";
import { parameterCount } from "../blobs.js";
import { deviations } from "../bounds.js";
import { meetsTile, pixelBlob } from "../support.js";
import { calcUV, tileGrid } from "../uv.js";
import {
  type BinnedJob,
  evenShards,
  type Intersection,
  noShard,
  type Projected,
  shardOf,
  wordsPerTile,
} from "./lists.js";

/**
 * Returns the blobs in pixels, and their intersections with the tiles around them. CPU reference of
 * shaders/binned/project.wgsl.
 * @param firstBlobs first blob of each shard of each tile, from the previous step's sorting
 */
export function project(
  job: BinnedJob,
  state: Pick<Projected, "parameters" | "firstMoments" | "secondMoments">,
  firstBlobs?: Uint32Array,
): Projected {
  const { parameters, firstMoments, secondMoments } = state;
  const { model, target, band, tile, shards } = job;
  const uv = calcUV(target, target);
  const { across, down, count } = tileGrid(band.size, tile);
  const blobs = parameters.length / parameterCount;
  const intersections: Intersection[] = [];
  const tileCounts = new Uint32Array(shards * count);
  const bounds = firstBlobs ?? evenShards(job, blobs, count);
  const tileWords = wordsPerTile(blobs);
  const bits = new Uint32Array(tileWords * count);
  const pixelBlobs = decodeAll(parameters, model).map((decoded, blob) => {
    const { red, green, blue, opacity } = decoded;
    const drawn = { ...pixelBlob(decoded, uv), red, green, blue, opacity };
    drawn.centerY -= band.top;
    const first = intersections.length;
    // Each tile that the bounding box meets has an entry, which stays empty if the support does not meet the tile.
    const range = (center: number, reach: number, side: number, most: number) => [
      Math.max(Math.floor((center - reach) / side), 0),
      Math.min(Math.floor((center + reach) / side) + 1, most),
    ];
    const reachX = deviations / (decoded.perDeviationX * uv.scaleX) + 0.01;
    const reachY = deviations / (decoded.perDeviationY * uv.scaleY) + 0.01;
    const [left, right] = range(drawn.centerX, reachX, tile[0], across);
    const [top, bottom] = range(drawn.centerY, reachY, tile[1], down);
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const tileIndex = row * across + column;
        const meets = meetsTile(drawn, column, row, tile);
        if (meets) bits[tileIndex * tileWords + Math.floor(blob / 32)] |= 1 << (blob % 32);
        const shard = shardOf(job, bounds, tileIndex, blob);
        const position = meets ? tileCounts[shard * count + tileIndex]++ : 0;
        intersections.push({ shard: meets ? tileIndex * (shards + 1) + shard : noShard, position, blob });
      }
    }
    const size = { across: Math.max(0, right - left), down: Math.max(0, bottom - top) };
    return { blob: drawn, first, around: { column: left, row: top, ...size } };
  });
  return {
    parameters,
    firstMoments,
    secondMoments,
    pixelBlobs,
    intersections,
    status: { tileCounts, firstBlobs: bounds, bits, overflowed: false },
  };
}
