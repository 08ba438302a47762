import type { AtomicShaders } from "./atomic.js";

/** The first post's pipeline: every blob at every pixel. */
export const simple: AtomicShaders = {
  computeDerivatives: "simple/computeDerivatives.wgsl",
  imageMain: "simple/imageMain.wgsl",
};
