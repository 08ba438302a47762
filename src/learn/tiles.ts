// Exports for the chapter tiles.md.

export { linkAll } from "../components/figures/pointing.js";
export { axisLines, separationInput } from "../components/learn/tiles/axisCharts.js";
export { blobList, describeListCosts, initialBlob, listFacts, tileView } from "../components/learn/tiles/blobList.js";
export { drawAt, drawTiles, truncateLists } from "../components/learn/tiles/drawTiles.js";
export { tilesExercises } from "../components/learn/tiles/exercises.js";
export {
  describeIteration,
  gatherBatches,
  gatherTally,
  strideScene,
  traceGather,
} from "../components/learn/tiles/gather.js";
export { handEditor } from "../components/learn/tiles/handEditor.js";
export { handBlobs, handTiles } from "../components/learn/tiles/handScene.js";
export { overflowFacts, truncationFacts, windowAttempts } from "../components/learn/tiles/overflow.js";
export { axisTests } from "../components/learn/tiles/separation.js";
export {
  describeAppendOrder,
  gatheredList,
  scanChart,
  strideCodeLines,
  strideProgress,
  strideShapes,
} from "../components/learn/tiles/strideTables.js";
export {
  boundsOf,
  classifyBlobs,
  fullestTile,
  listCosts,
  meanListLengths,
  tileAtCell,
  tileScene,
  tileWithFalsePositives,
} from "../components/learn/tiles/tileScene.js";
export { gridShapes, tilePicker } from "../components/learn/tiles/tileShapes.js";
export { describeUv, tileUv, uvChart, uvFacts, uvView } from "../components/learn/tiles/uvView.js";
export { closeUps, describeWindow, windowSlots } from "../components/learn/tiles/windowCharts.js";
export { blobsOfTile } from "../engine/model/tileLists.js";
