import type { Gpu } from "../../../engine/gpu/device.js";
import { listsOf, renderOf } from "../../../engine/model/renderTasks.js";
import { blobsOfTile, type TileLists } from "../../../engine/model/tileLists.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, counted } from "../../page/format.js";
import type { Inspection, Run } from "../../training/run.js";
import { gatherOnGpu } from "../tiles/gather.js";
import { tileText } from "../tiles/tileScene.js";
import { maxNumbers } from "./numbers.js";
import { maxDrawn } from "./sortDrawing.js";

/** The state and tiles of a run that lists are gathered from. */
export type ListSource = Pick<Inspection, "state" | "tiles">;

/**
 * Returns the tile lists of a run as the `tiled` pipeline gathers them, sorted. Other pipelines have shorter lists: `binned`
 * and `cpu` leave out blobs if only the bounding box meets the tile.
 */
export function tileListsOf(
  { config, target: { image } }: Pick<Run, "config" | "target">,
  { state: { parameters }, tiles }: ListSource,
): TileLists {
  return listsOf(renderOf(config, image, image, tiles.size), parameters);
}

/**
 * Returns the tile with the longest list of 2 to `maxLength` blobs, or undefined.
 */
export function tileToSort({ offsets }: Pick<TileLists, "offsets">, maxLength: number): number | undefined {
  const lengths = Array.from(offsets.subarray(1), (end, tile) => end - offsets[tile]);
  const longest = Math.max(...lengths.filter((length) => length >= 2 && length <= maxLength));
  const tile = lengths.indexOf(longest);
  return tile < 0 ? undefined : tile;
}

/** Gathers a tile list with the kernel of the `tiled` pipeline, in the order in which the threads append the blobs. */
export function gatherTile(
  gpu: Gpu,
  { config, target: { image } }: Pick<Run, "config" | "target">,
  { state: { parameters }, tiles }: ListSource,
  tile: number,
): Promise<Uint32Array> {
  const source = { config: { ...config, tile: tiles.size }, size: image, parameters };
  return gatherOnGpu(gpu, source, tile, maxNumbers);
}

/** Returns the number of blobs that directly follow a blob with a greater index. */
export function countDescents(blobs: Uint32Array): number {
  return blobs.filter((blob, index) => index > 0 && blob < blobs[index - 1]).length;
}

/**
 * Returns the tile list of a run as the reader's GPU gathers it.
 * @param note called with a sentence on the origin of the list
 * @throws RangeError if there is no list to sort
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
  const orderText = gpu
    ? `, in your GPU’s order: ${counted(countDescents(blobs), "blob")} directly after one with a greater index.`
    : ", in ascending order, because one CPU thread built it. GPU threads may overtake each other.";
  note(`The list of tile ${tileText(lists, tile)} at step ${count(snapshot.state.step)}${orderText}`);
  return blobs;
}
