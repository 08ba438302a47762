// What performance.md imports besides the library and what pages share.

export { percent, prefixed, time } from "./components/page/format.js";
export { benchRows, benchSentence } from "./components/performance/benchTable.js";
export { measureHere } from "./components/performance/measureHere.js";
export { trainThrice } from "./components/performance/sameBits.js";
export { baseBlobs, memoryRows, swept } from "./components/performance/scalingFacts.js";
export {
  growthSentence,
  largestSentence,
  refusalSentence,
  scalingOrigin,
} from "./components/performance/scalingWords.js";
export { stagesOf } from "./components/performance/stages.js";
export { readScaling } from "./engine/bench/scaling.js";
export { pairWork } from "./engine/bench/work.js";
export { loadShaders } from "./host/browser/shaderFiles.js";
