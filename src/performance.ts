// Exports for the cells of performance.md, besides the library and figures.ts.

export { percent, prefixed, time } from "./components/page/format.js";
export { benchRows, benchSentence } from "./components/performance/benchTable.js";
export { measureInBrowser } from "./components/performance/measureInBrowser.js";
export { chapterTimes } from "./components/performance/recordingsSentence.js";
export { baseBlobs, measuredJobs, memoryRows } from "./components/performance/scalingFacts.js";
export { growthSentence } from "./components/performance/scalingSentences.js";
export { stagesOf } from "./components/performance/stages.js";
export { readScaling } from "./engine/bench/scaling.js";
export { pairWork } from "./engine/bench/work.js";
export { loadShaders } from "./host/browser/shaderFiles.js";
