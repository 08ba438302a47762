// What only the cells of this site import: it needs Framework's own pages or files of the site, so the package leaves it out.

export { liveCells } from "./components/cells/liveCells.js";
export { compareSources } from "./components/compare/compareSources.js";
export { keptRuns } from "./components/compare/keptRuns.js";
export * as Plot from "./components/figures/plot.js";
export * as Inputs from "./components/inputs/inputs.js";
export { kernelJob } from "./components/kernels/kernelJob.js";
export { picturePicker } from "./components/pictures/picturePicker.js";
export { gallery } from "./components/pictures/pictures.js";
export { drawKept } from "./components/quality/keptBlobs.js";
export { smallRun } from "./components/training/smallRun.js";
