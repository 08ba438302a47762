import type { TrainConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import { type Blob, decode, evalFalloff, modelOf } from "../../../engine/model/blob.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { blobBounds, deviations, intersects, type OrientedBox } from "../../../engine/model/bounds.js";
import { binBlobsInSteps, blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import { calcUV, tileArea, tileBounds, tileGrid, tileOrigin, type UvMapping } from "../../../engine/model/uv.js";
import type { GridCell } from "../../inputs/gridPicker.js";
import { largestGap } from "./separation.js";

/** Blobs laid out on the tiles of the image that they draw. */
export interface TileScene {
  /** Where the blobs come from: blob 3 of a run is not blob 3 of another scene. */
  source: "run" | "hand" | "random" | "render";
  /** With the number of blobs of the scene. */
  config: TrainConfig;
  size: Size;
  tile: [number, number];
  /** Raw parameters, field-major. */
  parameters: Float32Array;
  blobs: Blob[];
  /** The blobs' 4σ boxes, in UV. */
  boxes: OrientedBox[];
  uv: UvMapping;
  across: number;
  down: number;
  lists: TileLists;
}

/** Decodes blobs and lays them out on tiles, some at a time. */
export function* tileScene(
  config: TrainConfig,
  { width, height }: Size,
  parameters: Float32Array,
  tile: [number, number],
  source: TileScene["source"] = "run",
): Generator<void, TileScene> {
  const count = parameters.length / parameterCount;
  const size = { width, height };
  const model = modelOf(config, size);
  const blobs: Blob[] = [];
  const boxes: OrientedBox[] = [];
  for (let i = 0; i < count; i++) {
    blobs.push(decode(parameters, i, model));
    boxes.push(blobBounds(blobs[i]));
    if (i % 256 === 255) yield;
  }
  const uv = calcUV(size, size);
  const { across, down } = tileGrid(size, tile);
  const lists = yield* binBlobsInSteps(blobs, size, uv, tile);
  const sceneConfig = { ...config, blobs: count, tile };
  return { source, config: sceneConfig, size, tile, parameters, blobs, boxes, uv, across, down, lists };
}

/** Returns the mean length of the tile lists of square tiles, by their side in pixels. */
export function* meanListLengths(
  config: TrainConfig,
  size: Size,
  parameters: Float32Array,
  sides: readonly number[],
): Generator<void, { x: number; y: number }[]> {
  const curve: { x: number; y: number }[] = [];
  for (const side of sides) {
    const { lists, across, down } = yield* tileScene(config, size, parameters, [side, side]);
    curve.push({ x: side, y: lists.blobs.length / (across * down) });
  }
  return curve;
}

/** Returns the index of the tile in a column and row. */
export function tileAtCell({ across }: { across: number }, { column, row }: GridCell): number {
  return row * across + column;
}

/** Returns the column and row of a tile. */
export function cellOfTile({ across }: { across: number }, tile: number): GridCell {
  return { column: tile % across, row: Math.floor(tile / across) };
}

/** Returns the column and row of a tile as text. */
export function tileText(grid: { across: number }, tile: number): string {
  return Object.values(cellOfTile(grid, tile)).join(", ");
}

/** Returns the box of a tile in UV. */
export function boundsOf(
  { across, tile: size, uv }: Pick<TileScene, "across" | "tile" | "uv">,
  tile: number,
): OrientedBox {
  return tileBounds(tileOrigin(tile, across, size), size, uv);
}

/** Returns the tile with the longest list. */
export function fullestTile(scene: TileScene): number {
  return tileWithMost(scene, (tile) => blobsOfTile(scene.lists, tile).length);
}

/** Returns the tile with the most false positives. */
export function tileWithFalsePositives(scene: TileScene): number {
  return tileWithMost(scene, (tile) => classifyBlobs(scene, tile).falsePositives.size);
}

function tileWithMost({ across, down }: TileScene, measure: (tile: number) => number): number {
  const measured = Array.from({ length: across * down }, (_, tile) => measure(tile));
  return measured.indexOf(Math.max(...measured));
}

/** Whether any pixel of a tile is in the support of a blob. */
function contributes({ blobs, across, tile: size, size: imageSize, uv }: TileScene, blob: number, tile: number) {
  const { left, top, right, bottom } = tileArea(tile, across, size, imageSize);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (evalFalloff(blobs[blob], x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY) > 0) return true;
    }
  }
  return false;
}

/** Returns the axis-aligned box around the 4σ ellipse of a blob, in UV. */
export function axisAlignedBounds({ centerX, centerY, varianceX, varianceY }: Blob): OrientedBox {
  const halfLength = deviations * Math.sqrt(varianceX);
  const halfWidth = deviations * Math.sqrt(varianceY);
  return { centerX, centerY, axisX: 1, axisY: 0, halfLength, halfWidth };
}

/** A tile of a scene, and the blobs by their relation to it. */
export type TileMembers = ReturnType<typeof classifyBlobs>;

const maxNearest = 8;

/** Tests every blob of a scene against one tile. */
export function classifyBlobs(scene: TileScene, tile: number) {
  const list = blobsOfTile(scene.lists, tile);
  const bounds = boundsOf(scene, tile);
  const listed = new Set(list);
  const meetsAligned = new Set(
    scene.blobs.flatMap((blob, k) => (intersects(axisAlignedBounds(blob), bounds) ? k : [])),
  );
  const gaps = scene.boxes.map((box) => largestGap(box, bounds));
  const others = [...scene.blobs.keys()].filter((blob) => !listed.has(blob) && !meetsAligned.has(blob));
  return {
    scene,
    tile,
    list,
    /** Blobs of the list that reach no pixel of the tile. */
    falsePositives: new Set(Array.from(list).filter((blob) => !contributes(scene, blob, tile))),
    /** Blobs that axis-aligned boxes would add to the list, and blobs that these would omit. */
    added: [...meetsAligned].filter((blob) => !listed.has(blob)),
    omitted: Array.from(list).filter((blob) => !meetsAligned.has(blob)),
    /** The nearest of the other blobs, nearest first. */
    nearest: others.sort((a, b) => gaps[a] - gaps[b]).slice(0, maxNearest),
  };
}

/** The relations of blobs to a tile, in words. */
export const relations = { in: "in the list", "false-positive": "false positive", out: "left out" };

export type Relation = keyof typeof relations;

/** Returns the relation of a blob to a tile. */
export function relationOf({ list, falsePositives }: TileMembers, blob: number): Relation {
  return falsePositives.has(blob) ? "false-positive" : list.includes(blob) ? "in" : "out";
}

/**
 * Counts the cost of the lists, one tile at a time: the blobs of the mean list and of the longest, the false positives of
 * the mean list, and its blobs with axis-aligned boxes.
 */
export function* listCosts(scene: TileScene): Generator<void, Record<string, number>> {
  const tiles = scene.across * scene.down;
  const alongAxes = scene.blobs.map(axisAlignedBounds);
  let [falsePositives, aligned] = [0, 0];
  for (let tile = 0; tile < tiles; tile++) {
    const bounds = boundsOf(scene, tile);
    for (const blob of blobsOfTile(scene.lists, tile)) if (!contributes(scene, blob, tile)) falsePositives++;
    for (const box of alongAxes) if (intersects(box, bounds)) aligned++;
    yield;
  }
  return {
    mean: scene.lists.blobs.length / tiles,
    longest: blobsOfTile(scene.lists, fullestTile(scene)).length,
    falsePositives: falsePositives / tiles,
    aligned: aligned / tiles,
  };
}

/** Returns the name that links a blob across figures; blobs of a run have only their index. */
export function nameOfBlob({ source }: TileScene, blob: number): string {
  return source === "run" ? `blob:${blob}` : `blob:${source}.${blob}`;
}

/** Returns the name that links a tile across figures; it contains the tile size. */
export function nameOfTile(
  { source, tile: [width, height] }: Pick<TileScene, "source" | "tile">,
  tile: number,
): string {
  return `tile:${source}.${width}x${height}.${tile}`;
}
