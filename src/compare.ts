// What compare.md imports besides the library and what pages share.

export {
  choice,
  errorPairs,
  filmScrubber,
  filmStepsOf,
  nothing,
  pictureGrid,
  rowsAt,
  rowsOf,
  settingRows,
  sizesNote,
  tablesOf,
  wipeSides,
} from "./components/compare/comparedParts.js";
export { Comparison } from "./components/compare/comparison.js";
export { ofRun, runKey, runLabel } from "./components/compare/runMarks.js";
export { runTable } from "./components/compare/runTable.js";
export { pointsTo } from "./components/figures/pointed.js";
export { pictureWindow } from "./components/pictures/pictureWindow.js";
export { gradientDistributions, parameterDistributions } from "./components/runs/distributions.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { nearLimit } from "./components/runs/listLimit.js";
export { wholeLink } from "./components/training/link.js";
