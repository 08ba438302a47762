import type { Size } from "../image/image.js";
import type { BlobValues } from "./blob.js";
import { blobBounds, intersects, reach } from "./bounds.js";
import { tileBounds, tileGrid, tileOrigin, type UvMapping } from "./uv.js";

/** The lists of all tiles, one after the other, each in ascending blob index. */
export interface TileLists {
  across: number;
  down: number;
  /** The list of tile t is in `blobs` from offsets[t] to offsets[t + 1]. */
  offsets: Uint32Array;
  blobs: Uint32Array;
}

/** Returns the list of a tile. */
export function blobsOfTile({ offsets, blobs }: TileLists, tile: number): Uint32Array {
  return blobs.subarray(offsets[tile], offsets[tile + 1]);
}

/** Margin of a box in UV units, so that the separating-axis test decides and not rounding. */
const margin = 1e-9;

/**
 * Returns the lists that coarseRasterize gathers, by visiting the tiles that the box of each blob meets.
 */
export function binBlobs(blobs: Iterable<BlobValues>, image: Size, uv: UvMapping, tile: [number, number]): TileLists {
  const { across, down, count } = tileGrid(image, tile);
  const tiles = Array.from({ length: count }, (_, t) => tileBounds(tileOrigin(t, across, tile), tile, uv));
  const intersectionTiles = new GrowingList();
  const intersectionBlobs = new GrowingList();
  const offsets = new Uint32Array(count + 1);
  const column = (u: number) => Math.floor((u - uv.offsetX) / uv.scaleX / tile[0]);
  const row = (v: number) => Math.floor((v - uv.offsetY) / uv.scaleY / tile[1]);
  let i = 0;
  for (const blob of blobs) {
    const box = blobBounds(blob);
    const halfWidth = reach(box, 1, 0);
    const halfHeight = reach(box, 0, 1);
    const left = Math.max(column(box.centerX - halfWidth - margin), 0);
    const right = Math.min(column(box.centerX + halfWidth + margin), across - 1);
    const top = Math.max(row(box.centerY - halfHeight - margin), 0);
    const bottom = Math.min(row(box.centerY + halfHeight + margin), down - 1);
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const t = y * across + x;
        if (!intersects(box, tiles[t])) continue;
        intersectionTiles.push(t);
        intersectionBlobs.push(i);
        offsets[t + 1]++;
      }
    }
    i++;
  }
  for (let t = 0; t < count; t++) offsets[t + 1] += offsets[t];
  const next = offsets.slice();
  const lists = new Uint32Array(intersectionTiles.length);
  for (let intersection = 0; intersection < lists.length; intersection++)
    lists[next[intersectionTiles.values[intersection]]++] = intersectionBlobs.values[intersection];
  return { across, down, offsets, blobs: lists };
}

/** A list of uint32; an array of millions of numbers takes several times as long. */
class GrowingList {
  values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const values = new Uint32Array(2 * this.length);
      values.set(this.values);
      this.values = values;
    }
    this.values[this.length++] = value;
  }
}
