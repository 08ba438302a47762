import type { Gpu } from "../../../engine/gpu/device.js";
import { listsOf, renderOf } from "../../../engine/model/renderTasks.js";
import { blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, counted } from "../../page/format.js";
import type { Inspection, Run } from "../../training/run.js";
import { gatherOnGpu } from "../tiles/gather.js";
import { maxNumbers } from "./numbers.js";
import { maxDrawn } from "./sortDrawing.js";

/** What lists are gathered from. */
export type ListSource = Pick<Inspection, "state" | "tiles">;

/**
 * Returns the short-lists that shaders/tiled/coarseRasterize.wgsl gathers on the tiles of a run, in ascending order. A
 * pipeline's own lists can be shorter: `binned` and `cpu` leave out blobs of which only the bounding box meets a tile.
 */
export function tileListsOf(
  { config, target: { image } }: Pick<Run, "config" | "target">,
  { state: { parameters }, tiles }: ListSource,
): TileLists {
  return listsOf(renderOf(config, image, image, tiles.size), parameters);
}

/**
 * Returns the tile with the longest list of at most `most` blobs.
 * @returns undefined where no tile has two blobs and not too many
 */
export function tileToSort({ offsets }: Pick<TileLists, "offsets">, maxLength: number): number | undefined {
  let best: number | undefined;
  let longest = 1;
  for (let tile = 0; tile + 1 < offsets.length; tile++) {
    const length = offsets[tile + 1] - offsets[tile];
    if (length > maxLength || length <= longest) continue;
    best = tile;
    longest = length;
  }
  return best;
}

/** Gathers a tile's short-list by coarseRasterize.wgsl, in the order in which the GPU's threads append the blobs. */
export function gatherTile(
  gpu: Gpu,
  { config, target: { image } }: Pick<Run, "config" | "target">,
  { state: { parameters }, tiles }: ListSource,
  tile: number,
): Promise<Uint32Array> {
  const source = { config: { ...config, tile: tiles.size }, size: image, parameters };
  return gatherOnGpu(gpu, source, tile, maxNumbers);
}

/** Neighbours of which the later one has the smaller index. */
export function countDescents(blobs: Uint32Array): number {
  return blobs.filter((blob, index) => index > 0 && blob < blobs[index - 1]).length;
}

/**
 * The short-list of a tile of a run, as the reader's GPU finds it.
 * @param note hears in a sentence where it comes from
 * @throws RangeError that says in one sentence why there is none
 */
export async function gatherRunList(
  engine: BrowserEngine,
  run: Run,
  note: (words: string) => void,
): Promise<Uint32Array> {
  const { inspection: snapshot } = run;
  if (!snapshot) throw new RangeError("The run has no tile lists yet; try again in a moment.");
  const lists = tileListsOf(run, snapshot);
  const tile = tileToSort(lists, maxDrawn) ?? tileToSort(lists, maxNumbers);
  if (tile === undefined) throw new RangeError("No tile of the run has a list of 2 to 1,024 blobs.");
  const gpu = await pageGpu(engine);
  const blobs = gpu ? await gatherTile(gpu, run, snapshot, tile) : blobsOfTile(lists, tile);
  const { across } = lists;
  const orderText = gpu
    ? `, in your GPU’s order: ${counted(countDescents(blobs), "blob")} directly after one with a greater index.`
    : ", in ascending order, because one CPU thread built it. GPU threads may overtake each other.";
  note(
    `The list of tile ${tile % across}, ${Math.floor(tile / across)} at step ${count(snapshot.state.step)}${orderText}`,
  );
  return blobs;
}
