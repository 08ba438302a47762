import { decodeAll, modelOf } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import { coarseRasterize, initShortList } from "../../../engine/cpu/shortList.js";
import { calcUV, tileBounds, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/pipeline.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { Look, Run } from "../../training/run.js";
import { mostNumbers } from "./numbers.js";

/** A short-list of a run, in the order in which its blobs arrived. */
export interface Arrival {
  blobs: Uint32Array;
  tile: number;
  column: number;
  row: number;
  /** Neighbours of which the later one has the smaller index. */
  descents: number;
}

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
): Promise<Arrival> {
  const size = target.image;
  let blobs: Uint32Array;
  if (gpu) {
    const [TILE_WIDTH, TILE_HEIGHT] = tiles.size;
    const share = { size, first: tile, end: tile + 1, step: 1 };
    const left = await runKernel(gpu, {
      file: "learn/gatherArrivals.wgsl",
      constants: {
        ...modelConstants(config),
        GAUSSIANS_PER_BLOCK: mostNumbers,
        TILE_WIDTH,
        TILE_HEIGHT,
      },
      buffers: {
        0: { type: "uniform", contents: jobUniform(config, size) },
        1: { type: "uniform", contents: dispatchUniform([share], config) },
        2: { type: "read-only-storage", contents: state.parameters },
        9: { type: "storage", contents: 4 * (1 + mostNumbers) },
      },
    });
    const [count, ...arrived] = new Uint32Array(left[9]);
    blobs = Uint32Array.from(arrived.slice(0, count));
  } else {
    const bounds = decodeAll(state.parameters, modelOf(config, size)).map(blobBounds);
    const list = initShortList(mostNumbers);
    const box = tileBounds(tileOrigin(tile, tiles.across, tiles.size), tiles.size, calcUV(size, size));
    coarseRasterize(list, bounds, box, 0, bounds.length);
    blobs = list.blobs.slice(0, list.blobCount);
  }
  const descents = blobs.filter((blob, place) => place > 0 && blob < blobs[place - 1]).length;
  return { blobs, tile, column: tile % tiles.across, row: Math.floor(tile / tiles.across), descents };
}
