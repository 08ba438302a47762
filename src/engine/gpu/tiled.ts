import type { PipelineShaders } from "./pipeline.js";

/** The seeds' pipeline: each tile gathers, sorts and blends its own short-list, in one kernel. */
export const tiled: PipelineShaders = {
  computeDerivatives: "tiled/computeDerivatives.wgsl",
  imageMain: "tiled/imageMain.wgsl",
};
