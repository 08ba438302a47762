// Exports for the cells of compare.md, besides the library and figures.ts.

export {
  dataTable,
  emptyFigure,
  errorPairs,
  filmScrubber,
  filmStepsOf,
  imageGrid,
  rowsAt,
  sizesNote,
  tablesOf,
  wipeSides,
} from "./components/compare/compareViews.js";
export { Comparison } from "./components/compare/comparison.js";
export { brushScatter, parallelCoordinates, scaleOptions } from "./components/compare/runCharts.js";
export {
  axesInput,
  baselineInput,
  brushState,
  brushTable,
  differencesTable,
  namedSelect,
} from "./components/compare/runInputs.js";
export {
  colorChoices,
  colorLegend,
  markRuns,
  maxColors,
  runKey,
  runLabel,
  runStyles,
} from "./components/compare/runMarks.js";
export { resultsOf, rowOf, settingsOf, valueText } from "./components/compare/runRow.js";
export { runTable } from "./components/compare/runTable.js";
export { smooth } from "./components/compare/smooth.js";
export { axisOf } from "./components/figures/axes.js";
export { imageViewport } from "./components/images/imageViewport.js";
export { gradientDistributions, parameterDistributions } from "./components/runs/distributions.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { nearLimit } from "./components/runs/listLimit.js";
export { fullLink } from "./components/training/link.js";
