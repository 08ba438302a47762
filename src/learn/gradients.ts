// What the chapter gradients.md imports: the package's entry point splatbook/learn/gradients.

export { floatOf, floatText, hex } from "../components/learn/gradients/floatBits.js";
export { listText, numberList } from "../components/learn/gradients/numberList.js";
export {
  blobOutline,
  disputedTile,
  pixelGradients,
  steepestBlob,
  tileLook,
  widestSteepBlob,
} from "../components/learn/gradients/pixelGradients.js";
export { gradientsOf, newRace, runRace, spreadOf } from "../components/learn/gradients/raceModel.js";
export { reduction } from "../components/learn/gradients/reductionModel.js";
export { reductionTree, tileMap } from "../components/learn/gradients/reductionTree.js";
export { reduceOnGpu, stageCode, stageWords } from "../components/learn/gradients/reductionWords.js";
export { swapCourse } from "../components/learn/gradients/swapCourse.js";
export { exactText, swapCode, swapLanes, swapsOnGpu } from "../components/learn/gradients/swapLanes.js";
export { atRandom, inTurns, oneByOne, retriesOf } from "../components/learn/gradients/swapModel.js";
export { numberText, shortText } from "../components/page/numberText.js";
export { largestGradientOf } from "../engine/model/accumulate.js";
