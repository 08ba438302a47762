// What the chapter tiles.md imports: the package's entry point splatbook/learn/tiles.

export { standForAll } from "../components/figures/pointed.js";
export { axisLines, axisTitle, overlapChart, shadowChart, stepAxes } from "../components/learn/tiles/axisCharts.js";
export { askKernel, blobList, costWords, firstBlob, listFacts } from "../components/learn/tiles/blobList.js";
export { cutLists, drawAt, drawTiles } from "../components/learn/tiles/drawTiles.js";
export { batchesOf, gatherTally, strideScene, traceGather, turnWords } from "../components/learn/tiles/gather.js";
export { handEditor } from "../components/learn/tiles/handEditor.js";
export { handBlobs, handSize, handTiles } from "../components/learn/tiles/handScene.js";
export { attemptsOf, overflowFacts } from "../components/learn/tiles/overflow.js";
export { askedTests, axisTests } from "../components/learn/tiles/separation.js";
export {
  appendedWords,
  gatheredList,
  scanChart,
  strideCode,
  strideShapes,
  turnOf,
} from "../components/learn/tiles/strideTables.js";
export {
  boundsOf,
  fullestTile,
  idlestTile,
  listCosts,
  membersOf,
  placeOfTile,
  tileOfPlace,
  tileScene,
} from "../components/learn/tiles/tileScene.js";
export { gridShapes, outlineLegend, tileShapes } from "../components/learn/tiles/tileShapes.js";
export { tileUv, uvChart, uvFacts, uvView, uvWords } from "../components/learn/tiles/uvView.js";
export { closeUps, windowSlots, windowWords } from "../components/learn/tiles/windowCharts.js";
export { blobsOfTile } from "../engine/model/tileLists.js";
