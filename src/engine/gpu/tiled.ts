import type { AtomicShaders } from "./atomic.js";

/** The seeds' pipeline: each tile gathers, sorts and blends its own short-list, in one kernel. */
export const tiled: AtomicShaders = {
  computeDerivatives: "tiled/computeDerivatives.wgsl",
  imageMain: "tiled/imageMain.wgsl",
};
