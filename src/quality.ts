// Exports for the cells of quality.md, besides the library and figures.ts.

export { signed } from "./components/page/format.js";
export { numberResults } from "./components/quality/anchors.js";
export { ablationOf, comparableMeans, imagesOf, progressOf, seriesOf } from "./components/quality/qualityFacts.js";
export { readCurves, readQuality } from "./engine/bench/qualityResult.js";
