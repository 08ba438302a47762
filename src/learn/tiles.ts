// The model of the chapter tiles.md: what the engine's CPU reference does with tiles, as tables. The charts are in the page.
import { boxCorners } from "../components/figures/shapes.js";
import type { Snapshot } from "../components/learn/snapshotFile.js";
import type { Size } from "../engine/image/image.js";
import { evalFalloff } from "../engine/model/blob.js";
import { blobBounds, intersects, type OrientedBox, reach, separates, testedAxes } from "../engine/model/bounds.js";
import { coarseRasterize, initShortList, windows } from "../engine/model/shortList.js";
import { tiledBlobs } from "../engine/model/tiledBlobs.js";
import { calcUV, tileArea, tileBounds, tileGrid, tileOrigin } from "../engine/model/uv.js";

export { drawSnapshot } from "../components/learn/drawSnapshot.js";
export { tilesExercise } from "../components/learn/exercises/tiles.js";
export { cellOfTile, tileAtCell } from "../engine/model/uv.js";

/** Returns the blobs of a run, their boxes in UV, and the lists of tiles of some size in pixels. */
export function tileScene({ config, image, state: { parameters } }: Snapshot, tile: [number, number]) {
  const tiled = tiledBlobs(config, image, parameters, image, tile);
  return { ...tiled, boxes: tiled.blobs.map(blobBounds) };
}

export type TileScene = ReturnType<typeof tileScene>;

/** Returns the lengths of the lists of all tiles. */
export function listLengths({ lists }: TileScene): number[] {
  return lists.map(({ length }) => length);
}

/** Returns the list of a tile, front to back, with the colour of each blob, and whether it reaches a pixel of the tile. */
export function listOf({ lists, across, tile: tileSize, size, uv, blobs }: TileScene, tile: number) {
  const { left, top, right, bottom } = tileArea(tile, across, tileSize, size);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => from + k);
  const pixels = range(top, bottom).flatMap((y) => range(left, right).map((x) => [x, y]));
  return lists[tile].map((blob, slot) => {
    const { red, green, blue } = blobs[blob];
    const falloff = ([x, y]: number[]) =>
      evalFalloff(blobs[blob], x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY);
    const color = `rgb(${[red, green, blue].map((channel) => Math.round(255 * channel)).join(" ")})`;
    return { slot, blob, color, reaches: pixels.some((pixel) => falloff(pixel) > 0) };
  });
}

/** Returns the UV box of a tile. */
export function boundsOf({ across, tile: size, uv }: TileScene, tile: number): OrientedBox {
  return tileBounds(tileOrigin(tile, across, size), size, uv);
}

/** Returns points of the outlines of a box and of the ellipse in it, for an image of some size. */
export function outlinesOf(box: OrientedBox, { width, height }: Size = { width: 1, height: 1 }) {
  const { centerX, centerY, axisX, axisY, halfLength, halfWidth } = box;
  const ellipse = Array.from({ length: 48 }, (_, k) => {
    const [along, across] = [halfLength * Math.cos((k * Math.PI) / 24), halfWidth * Math.sin((k * Math.PI) / 24)];
    return [centerX + along * axisX - across * axisY, centerY + along * axisY + across * axisX];
  });
  const scale = (points: number[][]) => points.map(([x, y]) => ({ x: x * width, y: y * height }));
  return { ellipse: scale(ellipse), box: scale(boxCorners(box)) };
}

/**
 * Returns the separating-axis test of a blob's box and a tile's, in their units: the four axes in the order of the kernel,
 * and on each the projections of both boxes, from the centre of the tile.
 */
export function testAxes(blob: OrientedBox, tile: OrientedBox) {
  const names = ["blob’s long side", "blob’s short side", "tile’s width", "tile’s height"];
  const axes = testedAxes(blob, tile).map(([x, y], index) => {
    const center = (blob.centerX - tile.centerX) * x + (blob.centerY - tile.centerY) * y;
    const [blobReach, tileReach] = [reach(blob, x, y), reach(tile, x, y)];
    const gap = Math.abs(center) - blobReach - tileReach;
    const intervals = { blob: [center - blobReach, center + blobReach], tile: [-tileReach, tileReach] };
    return { name: names[index], x, y, ...intervals, gap, separates: separates(x, y, blob, tile) };
  });
  return { axes, meets: intersects(blob, tile) };
}

/**
 * Returns how threads in lockstep test the first blobs of a scene for the list of a tile: a row for each blob, with its
 * batch, counted from 1, and its slot if it meets the tile.
 */
export function recordStride(scene: TileScene, tile: number, threads: number, count: number) {
  const list = initShortList(count);
  const bounds = boundsOf(scene, tile);
  return Array.from({ length: Math.min(count, scene.boxes.length) }, (_, blob) => {
    const slot = list.blobCount;
    coarseRasterize(list, scene.boxes, bounds, blob, blob + 1);
    const isListed = list.blobCount > slot;
    return { blob, thread: blob % threads, batch: 1 + Math.floor(blob / threads), slot: isListed ? slot : undefined };
  });
}

/** Returns a sentence on a batch of a strided loop. */
export function describeBatch(rows: ReturnType<typeof recordStride>, batch: number): string {
  if (batch === 0) return "All threads wait at a barrier until the counter is 0.";
  const tested = rows.filter((row) => row.batch === batch);
  const found = tested.flatMap(({ blob, slot }) => (slot === undefined ? [] : blob));
  const count = rows.filter((row) => row.batch <= batch && row.slot !== undefined).length;
  const range = `threads 0 to ${tested.length - 1} test blobs ${tested[0].blob} to ${tested[0].blob + tested.length - 1}`;
  return `Batch ${batch}: ${range}; in the list: ${found.join(", ") || "none"}. The counter is ${count}.`;
}

/** Returns every window of blob indices that a tile tries with a list of some capacity, with a pass for each that fits. */
export function recordWindows(scene: TileScene, tile: number, capacity: number) {
  let passes = 0;
  return Array.from(windows(scene.boxes, boundsOf(scene, tile), capacity), ({ start, end, list }, row) => {
    const { blobCount } = list;
    return { row, start, end, blobCount, pass: blobCount > capacity ? undefined : ++passes };
  });
}

/** Returns the part of UV space that a render covers of a texture, and its tiles there. */
export function coverUv(size: Size, texture: Size, tile: [number, number]) {
  const { scaleX, scaleY, offsetX, offsetY } = calcUV(size, texture);
  const { across, count } = tileGrid(size, tile);
  const boxOf = ({ left, top, right, bottom }: ReturnType<typeof tileArea>) => {
    const [u1, v1] = [left * scaleX + offsetX, top * scaleY + offsetY];
    return { u1, v1, u2: right * scaleX + offsetX, v2: bottom * scaleY + offsetY };
  };
  const tiles = Array.from({ length: count }, (_, t) => boxOf(tileArea(t, across, tile, size)));
  return { covered: boxOf({ left: 0, top: 0, right: size.width, bottom: size.height }), tiles };
}
