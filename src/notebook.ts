// Exports for cells of this site only. They need Framework or files of the site, so the package does not contain them.

export { liveCells } from "./components/cells/liveCells.js";
export { md } from "./components/cells/md.js";
export { compareSources } from "./components/compare/compareSources.js";
export { savedRuns } from "./components/compare/savedRuns.js";
export * as Plot from "./components/figures/plot.js";
export { gallery } from "./components/images/gallery.js";
export { imagePicker } from "./components/images/imagePicker.js";
export * as Inputs from "./components/inputs/inputs.js";
export { drawSnapshot } from "./components/learn/drawSnapshot.js";
export { exerciseFigure } from "./components/learn/exercises/exerciseFigure.js";
export { progressTable } from "./components/learn/exercises/progressTable.js";
export { readSnapshot, storeSnapshot, trainSnapshot } from "./components/learn/snapshot.js";
