// Exports for the cells of quality.md, besides the library and figures.ts.

export { signed } from "../components/page/format.js";
export { numberResults } from "../components/results/anchors.js";
export { ablationOf, imagesOf, seriesOf } from "../components/results/qualityFacts.js";
