// Exports for the cells of compare.md, besides the library and figures.ts.

export {
  dataTable,
  emptyFigure,
  errorPairs,
  filmScrubber,
  filmStepsOf,
  imageGrid,
  namedSelect,
  rowsAt,
  settingRows,
  sizesNote,
  tablesOf,
  wipeSides,
} from "./components/compare/compareViews.js";
export { Comparison } from "./components/compare/comparison.js";
export { runKey, runLabel, runSpan } from "./components/compare/runMarks.js";
export { runTable } from "./components/compare/runTable.js";
export { linkChart } from "./components/figures/pointing.js";
export { imageViewport } from "./components/images/imageViewport.js";
export { gradientDistributions, parameterDistributions } from "./components/runs/distributions.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { nearLimit } from "./components/runs/listLimit.js";
export { fullLink } from "./components/training/link.js";
