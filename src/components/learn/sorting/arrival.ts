import type { Gpu } from "../../../engine/gpu/device.js";
import { listsOf, renderOf } from "../../../engine/model/parts.js";
import { blobsOfTile } from "../../../engine/model/tileLists.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, counted } from "../../page/format.js";
import type { Look, Run } from "../../training/run.js";
import { gatherOnGpu } from "../tiles/gather.js";
import { mostNumbers } from "./numbers.js";
import { mostDrawn } from "./sortDrawing.js";

/** What a list is gathered from. */
export type Gathered = Pick<Look, "state" | "tiles">;

/**
 * The tile with the longest list of at most `most` blobs.
 * @returns undefined where no tile has two blobs and not too many
 */
export function tileToSort({ tiles }: Pick<Gathered, "tiles">, most: number): number | undefined {
  let best: number | undefined;
  for (const [tile, length] of tiles.lengths.entries()) {
    if (length >= 2 && length <= most && length > (best === undefined ? 0 : tiles.lengths[best])) best = tile;
  }
  return best;
}

/**
 * Gathers a tile's short-list: on the GPU by shaders/tiled/coarseRasterize.wgsl, whose threads come by as they happen to;
 * without one by the twin, whose one thread finds the blobs in ascending order.
 */
export function gatherTile(
  gpu: Gpu | undefined,
  { config, target: { image } }: Pick<Run, "config" | "target">,
  { state: { parameters }, tiles }: Gathered,
  tile: number,
): Promise<Uint32Array> | Uint32Array {
  const render = renderOf(config, image, image, tiles.size);
  const own = { config: { ...config, tile: tiles.size }, size: render.size, parameters };
  if (gpu) return gatherOnGpu(gpu, own, tile, mostNumbers);
  return blobsOfTile(listsOf(render, parameters), tile);
}

/** Neighbours of which the later one has the smaller index. */
export function descents(blobs: Uint32Array): number {
  return blobs.filter((blob, place) => place > 0 && blob < blobs[place - 1]).length;
}

/**
 * The short-list of a tile of a run, as the reader's GPU finds it.
 * @param note hears in a sentence where it comes from
 * @throws RangeError that says in one sentence why there is none
 */
export async function arrivedList(
  engine: BrowserEngine,
  run: Run,
  note: (words: string) => void,
): Promise<Uint32Array> {
  const { look } = run;
  if (!look) throw new RangeError("The run has not gathered its lists yet; try again in a moment.");
  const tile = tileToSort(look, mostDrawn) ?? tileToSort(look, mostNumbers);
  if (tile === undefined) throw new RangeError("No tile of the run has a list of 2 to 1,024 blobs.");
  const gpu = await pageGpu(engine);
  const blobs = await gatherTile(gpu, run, look, tile);
  const { across } = look.tiles;
  const how = gpu
    ? `, as your GPU’s threads found it: ${counted(descents(blobs), "blob")} came right behind one with a greater index.`
    : ". One thread of the CPU found it, in ascending order; the threads of a GPU may overtake each other.";
  note(`The short-list of tile ${tile % across}, ${Math.floor(tile / across)} at step ${count(look.state.step)}${how}`);
  return blobs;
}
