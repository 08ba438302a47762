import { decodeAll, modelOf } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import { coarseRasterize, initShortList } from "../../../engine/cpu/shortList.js";
import { calcUV, tileBounds, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/pipeline.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { BrowserEngine } from "../../../host/browser.js";
import { pageGpu } from "../../../host/pageGpu.js";
import { count, counted } from "../../page/format.js";
import type { Look, Run } from "../../training/run.js";
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
export async function gatherTile(
  gpu: Gpu | undefined,
  { config, target }: Pick<Run, "config" | "target">,
  { state, tiles }: Gathered,
  tile: number,
): Promise<Uint32Array> {
  const size = target.image;
  if (!gpu) {
    const bounds = decodeAll(state.parameters, modelOf(config, size)).map(blobBounds);
    const list = initShortList(mostNumbers);
    const box = tileBounds(tileOrigin(tile, tiles.across, tiles.size), tiles.size, calcUV(size, size));
    coarseRasterize(list, bounds, box, 0, bounds.length);
    return list.blobs.slice(0, list.blobCount);
  }
  const [TILE_WIDTH, TILE_HEIGHT] = tiles.size;
  const share = { size, first: tile, end: tile + 1, step: 1 };
  const left = await runKernel(gpu, {
    file: "learn/gatherArrivals.wgsl",
    constants: { ...modelConstants(config), GAUSSIANS_PER_BLOCK: mostNumbers, TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      0: { type: "uniform", contents: jobUniform(config, size) },
      1: { type: "uniform", contents: dispatchUniform([share], config) },
      2: { type: "read-only-storage", contents: state.parameters },
      9: { type: "storage", contents: 4 * (1 + mostNumbers) },
    },
  });
  const [count, ...blobs] = new Uint32Array(left[9]);
  return Uint32Array.from(blobs.slice(0, count));
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
