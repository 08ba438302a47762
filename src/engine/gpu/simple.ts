import type { PipelineShaders } from "./pipeline.js";

/** The first post's pipeline: every blob at every pixel. */
export const simple: PipelineShaders = {
  computeDerivatives: "simple/computeDerivatives.wgsl",
  imageMain: "simple/imageMain.wgsl",
};
