import type { BlobValues } from "./blob.js";
import { blobBounds, intersects, reach } from "./bounds.js";
import { type Size, tileBounds, tileGrid, tileOrigin, type UvMapping } from "./uv.js";

/** The short-lists of all tiles, one after the other, each in ascending blob index. */
export interface TileLists {
  across: number;
  down: number;
  /** Tile t's blobs stand from offsets[t] to offsets[t + 1]. */
  offsets: Uint32Array;
  blobs: Uint32Array;
  longest: number;
}

/**
 * The lists that coarseRasterize gathers, built the other way round: for each blob, the tiles that its box meets.
 */
export function binBlobs(blobs: Iterable<BlobValues>, image: Size, uv: UvMapping, tile: [number, number]): TileLists {
  const { across, down, count } = tileGrid(image, tile);
  const tiles = Array.from({ length: count }, (_, t) => tileBounds(tileOrigin(t, across, tile), tile, uv));
  const pairTiles: number[] = [];
  const pairBlobs: number[] = [];
  const offsets = new Uint32Array(count + 1);
  const column = (u: number) => Math.floor((u - uv.offsetX) / uv.scaleX / tile[0]);
  const row = (v: number) => Math.floor((v - uv.offsetY) / uv.scaleY / tile[1]);
  let i = 0;
  for (const blob of blobs) {
    const box = blobBounds(blob);
    const halfWidth = reach(box, 1, 0);
    const halfHeight = reach(box, 0, 1);
    // A tile more on each side: the test below decides, rounding does not.
    const left = Math.max(column(box.centerX - halfWidth) - 1, 0);
    const right = Math.min(column(box.centerX + halfWidth) + 1, across - 1);
    const top = Math.max(row(box.centerY - halfHeight) - 1, 0);
    const bottom = Math.min(row(box.centerY + halfHeight) + 1, down - 1);
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const t = y * across + x;
        if (!intersects(box, tiles[t])) continue;
        pairTiles.push(t);
        pairBlobs.push(i);
        offsets[t + 1]++;
      }
    }
    i++;
  }
  for (let t = 0; t < count; t++) offsets[t + 1] += offsets[t];
  const next = offsets.slice();
  const lists = new Uint32Array(pairBlobs.length);
  for (let pair = 0; pair < pairBlobs.length; pair++) lists[next[pairTiles[pair]]++] = pairBlobs[pair];
  let longest = 0;
  for (let t = 0; t < count; t++) longest = Math.max(longest, offsets[t + 1] - offsets[t]);
  return { across, down, offsets, blobs: lists, longest };
}
