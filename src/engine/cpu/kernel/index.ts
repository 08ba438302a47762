// The exports of the kernel, called by src/engine/cpu/kernel.ts.
import { allocateOptimizer } from "./adam";
import { allocateJob } from "./job";
import { allocateLists } from "./lists";

export { addGradients, beginSum, firstMoments, gradients, keepSum, rates, secondMoments, updateBlobs } from "./adam";
export * from "./job";
export { listParts, listTiles, memberCount, members, tileOffsets } from "./lists";
export { allocate as reserve, mark, release } from "./memory";
export { differentiate, draw, results } from "./rasterize";

/** Allocates the buffers of a job, after it is set. */
export function allocate(): void {
  allocateJob();
  allocateOptimizer();
  allocateLists();
}
