import type { TrainConfig } from "../../config.js";
import type { Size } from "../../image/image.js";
import { mayClamp } from "../../model/accumulate.js";
import { tileGrid } from "../../model/uv.js";
import type { AdapterTraits } from "../adapter.js";
import type { KernelSource } from "../kernel.js";
import { summarize } from "../pipeline.js";
import { modelConstants } from "../uniforms.js";
import {
  type BinnedOptions,
  gathersLists,
  layoutOf,
  shardCount,
  threadsPerBlob,
  tilesPerWorkgroup,
  variantOf,
} from "./layout.js";

/** The kernels of the pipeline. Lists are built by gatherLists, or by the three other list stages. */
type BinnedKernels = Record<
  "project" | "rasterize" | "rasterizeBackward" | "updateBlobs" | "sumSlots" | "imageMain" | "summarize",
  KernelSource
> &
  Partial<Record<"gatherLists" | "allocateLists" | "fillLists" | "sortLists", KernelSource>>;

/** Returns the kernels of the pipeline, with their constants for a job on an adapter. */
export function binnedKernels(
  config: TrainConfig,
  image: Size,
  adapter: AdapterTraits,
  { variant = variantOf(adapter), gathers = gathersLists(config, image) }: BinnedOptions = {},
): BinnedKernels {
  const { tile, segmentLength } = layoutOf(config, image);
  const [TILE_WIDTH, TILE_HEIGHT] = tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    SEGMENT_LENGTH: segmentLength,
    CLAMPED: Number(mayClamp(config, image)),
    SHARDS: shardCount(config, tileGrid(image, tile).count),
    GATHERS: Number(gathers),
    THREADS_PER_BLOB: threadsPerBlob(config.blobs),
  };
  const kernel = (name: string, extraConstants = {}): KernelSource => ({
    file: `binned/${name}.wgsl`,
    constants: { ...constants, ...extraConstants },
  });
  return {
    project: kernel("1-project"),
    ...(gathers
      ? { gatherLists: kernel("2to4-gatherLists") }
      : {
          allocateLists: kernel("2-allocateLists", { THREADS: tilesPerWorkgroup }),
          fillLists: kernel("3-fillLists"),
          sortLists: kernel("4-sortLists"),
        }),
    rasterize: kernel("5-rasterize"),
    rasterizeBackward: kernel(`6-rasterizeBackward${variant}`),
    updateBlobs: kernel("7-updateBlobs"),
    sumSlots: kernel("7-updateBlobs", { STEP: 0 }),
    imageMain: kernel("5-rasterize", { DRAWS: 1 }),
    summarize: summarize(config),
  };
}

/** Returns the kernels that build lists and draw. */
export function drawingKernels(...job: Parameters<typeof binnedKernels>) {
  const { rasterize, rasterizeBackward, updateBlobs, sumSlots, summarize, ...drawing } = binnedKernels(...job);
  return drawing;
}

/** Adam's step alone, after the gradients of all bands of an image. */
export const adamStep: KernelSource = { file: "shared/updateBlobs.wgsl", constants: {} };
