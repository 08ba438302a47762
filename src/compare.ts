// Exports for the cells of compare.md, besides the library and figures.ts.

export { compareSources } from "./components/compare/compareSources.js";
export { differencesTable, errorPairs, sideSelect, sizesNote, wipeSides } from "./components/compare/compareViews.js";
export { Comparison } from "./components/compare/comparison.js";
export { runTable } from "./components/compare/runTable.js";
export { savedRuns } from "./components/compare/savedRuns.js";
export { imageViewport } from "./components/images/imageViewport.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { runLegend, runStyle } from "./components/runs/runStyle.js";
export { fullLink } from "./components/training/link.js";
