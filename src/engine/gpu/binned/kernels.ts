import type { TrainConfig } from "../../config.js";
import { tileGrid } from "../../model/uv.js";
import type { Size } from "../../picture/image.js";
import type { AdapterTraits } from "../adapter.js";
import { type Bindings, type KernelSource, read, uniforms, write } from "../kernel.js";
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
  const kernel = (name: string, bindings: Bindings, more = {}): KernelSource => ({
    file: `binned/${name}.wgsl`,
    bindings: { ...uniforms, ...bindings },
    constants: { ...constants, ...more },
  });
  // The kernels that need barriers have a counterpart without.
  const divided = (name: string, bindings: Bindings, more = {}) =>
    kernel(division === "Thread" ? `${name}Thread` : name, bindings, more);
  const blobs: Bindings = { 2: write, 3: write, 6: write, 10: write, 11: write, 12: write, 15: read, 16: write };
  const lists: Bindings = { 12: write, 13: write, 16: write, 18: write, 21: write, 23: write };
  const forward: Bindings = { 4: write, 5: read, 13: read, 14: read, 16: write, 19: write, 20: write, 23: read };
  const backward: Bindings = { 2: read, 14: read, 15: write, 16: read, 18: read, 19: read, 20: read };
  return {
    project: divided("updateBlobs", blobs, { SUM: 0, STEP: 0 }),
    allocateLists: divided("allocateLists", lists),
    fillLists: kernel("fillLists", { 11: write, 16: read, 21: read, 22: write, 24: write }),
    sortLists: kernel("sortLists", { 10: read, 14: write, 16: read, 21: read, 22: read, 24: read }),
    rasterize: divided("rasterize", forward),
    rasterizeBackward: kernel(`rasterizeBackward${division}`, backward),
    updateBlobs: divided("updateBlobs", blobs),
    sumSlots: divided("updateBlobs", blobs, { STEP: 0, PROJECT: 0 }),
    imageMain: divided("imageMain", { 9: write, 13: read, 14: read, 23: read }),
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
