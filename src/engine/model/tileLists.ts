import type { Size } from "../image/image.js";
import type { BlobValues } from "./blob.js";
import { blobBounds, intersects, reach } from "./bounds.js";
import { tileBounds, tileGrid, tileOrigin, type UvMapping } from "./uv.js";

/** Margin of a box in UV units, so that the separating-axis test decides and not rounding. */
const margin = 1e-9;

/**
 * Returns the lists that coarseRasterize gathers, in ascending blob index, by visiting the tiles that the box of each blob
 * meets.
 */
export function binBlobs(blobs: readonly BlobValues[], image: Size, uv: UvMapping, tile: [number, number]): number[][] {
  const { across, down, count } = tileGrid(image, tile);
  const tiles = Array.from({ length: count }, (_, t) => tileBounds(tileOrigin(t, across, tile), tile, uv));
  const lists = tiles.map((): number[] => []);
  const column = (u: number) => Math.floor((u - uv.offsetX) / uv.scaleX / tile[0]);
  const row = (v: number) => Math.floor((v - uv.offsetY) / uv.scaleY / tile[1]);
  for (const [i, blob] of blobs.entries()) {
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
        if (intersects(box, tiles[t])) lists[t].push(i);
      }
    }
  }
  return lists;
}
