// Exports for the cells of compare.md, besides the library and figures.ts.

export {
  differencesTable,
  emptyFigure,
  errorPairs,
  namedSelect,
  sizesNote,
  wipeSides,
} from "./components/compare/compareViews.js";
export { Comparison } from "./components/compare/comparison.js";
export {
  colorChoices,
  colorLegend,
  markRuns,
  maxColors,
  runKey,
  runStyles,
  scaleOf,
} from "./components/compare/runMarks.js";
export { resultsOf, rowOf, settingsOf, valueText } from "./components/compare/runRow.js";
export { runTable } from "./components/compare/runTable.js";
export { imageViewport } from "./components/images/imageViewport.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { fullLink } from "./components/training/link.js";
