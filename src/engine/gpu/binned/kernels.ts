import type { TrainConfig } from "../../config.js";
import { tileGrid } from "../../model/uv.js";
import type { Size } from "../../picture/image.js";
import type { AdapterTraits } from "../adapter.js";
import type { KernelSource } from "../kernel.js";
import { summarize } from "../pipeline.js";
import { modelConstants } from "../uniforms.js";
import { copies, divisionOf, layoutOf, threadsPerBlob } from "./layout.js";

/** The kernels of the pipeline, as they are compiled for a job on an adapter. */
export function binnedKernels(
  config: TrainConfig,
  image: Size,
  adapter: AdapterTraits,
  division = divisionOf(adapter),
) {
  const { tile, segmentLength } = layoutOf(config, image);
  const [TILE_WIDTH, TILE_HEIGHT] = tile;
  const constants = {
    ...modelConstants(config),
    TILE_WIDTH,
    TILE_HEIGHT,
    SEGMENT_LENGTH: segmentLength,
    CLAMPED: Number(mayClamp(config, image)),
    COPIES: copies(config, tileGrid(image, tile).count),
    THREADS_PER_BLOB: threadsPerBlob(config.blobs),
  };
  const kernel = (name: string, more = {}): KernelSource => ({
    file: `binned/${name}.wgsl`,
    constants: { ...constants, ...more },
  });
  // The kernels that need barriers have a counterpart without.
  const divided = (name: string, more = {}) => kernel(division === "Thread" ? `${name}Thread` : name, more);
  return {
    project: divided("updateBlobs", { SUM: 0, STEP: 0 }),
    allocateLists: divided("allocateLists"),
    fillLists: kernel("fillLists"),
    sortLists: kernel("sortLists"),
    rasterize: divided("rasterize"),
    rasterizeBackward: kernel(`rasterizeBackward${division}`),
    updateBlobs: divided("updateBlobs"),
    sumSlots: divided("updateBlobs", { STEP: 0, PROJECT: 0 }),
    imageMain: divided("imageMain"),
    summarize: summarize(config),
  };
}

/**
 * Whether a single pixel's gradient of a raw parameter could exceed the clamp of ±10. With w = 2 / (W·H), |dL/dα| is
 * at most 6 w; through a support of 4σ, |ρ| ≤ 0.825 and slopes of at most 1.5 that bounds the centres by
 * 892 w / √covarianceScale, and all others by 20,400 w.
 */
export function mayClamp(config: TrainConfig, { width, height }: Size): boolean {
  if (config.parameterization === "direct") return false;
  // In a sum the error of a pixel has no bound.
  if (config.blend === "sum") return true;
  const weight = 2 / (width * height);
  return weight * Math.max(892 / Math.sqrt(config.covarianceScale), 20400) > 9.9;
}
