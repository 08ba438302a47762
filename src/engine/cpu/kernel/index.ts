// What the kernel exports; src/engine/cpu/kernel.ts calls it.
import { allocateOptimizer } from "./adam";
import { allocateLists } from "./lists";

export { addGradients, beginSum, firstMoments, gradients, keepSum, rates, secondMoments, updateBlobs } from "./adam";
export { parameters, setBlending, setMapping, setModel, setPicture, target } from "./job";
export { listParts, listTiles, memberCount, members, tileOffsets } from "./lists";
export { allocate as reserve, mark, release } from "./memory";
export { differentiate, draw, results } from "./rasterize";

/** Allocates what a job needs from its beginning to its end, once it is set. */
export function allocate(): void {
  allocateOptimizer();
  allocateLists();
}
