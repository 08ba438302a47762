// Exports for the chapter reduction.md.

export { reductionExercises } from "../components/learn/reduction/exercises.js";
export { floatOf, floatText, hex } from "../components/learn/reduction/floatBits.js";
export { formatNumbers, parseNumbers } from "../components/learn/reduction/numberList.js";
export {
  blobOutline,
  mostDisputedTile,
  pixelGradients,
  steepestBlob,
  tileSnapshot,
  widestSteepBlob,
} from "../components/learn/reduction/pixelGradients.js";
export { blobGradients, measureSpread, newRace, runRace } from "../components/learn/reduction/raceModel.js";
export { reduction } from "../components/learn/reduction/reductionModel.js";
export { compareReductionOnGpu, describeStage, stageCodeLines } from "../components/learn/reduction/reductionStages.js";
export { reductionTree, tileMap } from "../components/learn/reduction/reductionTree.js";
export { exactText, swapCodeLines, swapLanes, swapsOnGpu } from "../components/learn/reduction/swapLanes.js";
export { countRetries, oneByOne, randomOrder, roundRobin } from "../components/learn/reduction/swapModel.js";
export { swapStepper } from "../components/learn/reduction/swapStepper.js";
export { numberText, shortText } from "../components/page/numberText.js";
export { gradientLimitOf } from "../engine/model/accumulate.js";
