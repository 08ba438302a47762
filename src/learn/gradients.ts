// Exports for the chapter gradients.md: the package's entry point splatbook/learn/gradients.

export { floatOf, floatText, hex } from "../components/learn/gradients/floatBits.js";
export { formatNumbers, parseNumbers } from "../components/learn/gradients/numberList.js";
export {
  blobOutline,
  mostDisputedTile,
  pixelGradients,
  steepestBlob,
  tileSnapshot,
  widestSteepBlob,
} from "../components/learn/gradients/pixelGradients.js";
export { blobGradients, measureSpread, newRace, runRace } from "../components/learn/gradients/raceModel.js";
export { reduction } from "../components/learn/gradients/reductionModel.js";
export { compareReductionOnGpu, describeStage, stageCodeLines } from "../components/learn/gradients/reductionStages.js";
export { reductionTree, tileMap } from "../components/learn/gradients/reductionTree.js";
export { exactText, swapCodeLines, swapLanes, swapsOnGpu } from "../components/learn/gradients/swapLanes.js";
export { countRetries, oneByOne, randomOrder, roundRobin } from "../components/learn/gradients/swapModel.js";
export { swapStepper } from "../components/learn/gradients/swapStepper.js";
export { numberText, shortText } from "../components/page/numberText.js";
export { gradientLimitOf } from "../engine/model/accumulate.js";
