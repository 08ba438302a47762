// Exports for the chapter sorting.md.

export { directionDrawing, pairPicker } from "../components/learn/sorting/bitDrawings.js";
export {
  activeCodeLines,
  describeDirections,
  describeMergePass,
  describeNetworkPass,
  sortFacts,
} from "../components/learn/sorting/descriptions.js";
export { sortingExercises } from "../components/learn/sorting/exercises.js";
export { mergeDrawing } from "../components/learn/sorting/mergeDrawing.js";
export { recordMerge } from "../components/learn/sorting/mergeModel.js";
export { networkDrawing } from "../components/learn/sorting/networkDrawing.js";
export { zeroOneCheck, zeroOneVerdict } from "../components/learn/sorting/networkModel.js";
export { numbersInput, randomNumbers, readCount, readNumbers } from "../components/learn/sorting/numbers.js";
export { passTable } from "../components/learn/sorting/passTable.js";
export { gatherRunList } from "../components/learn/sorting/runLists.js";
export { sortDrawing } from "../components/learn/sorting/sortDrawing.js";
export { sortOnReaderGpu, swapList } from "../components/learn/sorting/sortKernel.js";
export { networkCost, recordSort, serialComparisons } from "../components/learn/sorting/sortModel.js";
export { sortStepper } from "../components/learn/sorting/sortStepper.js";
export { trialTable } from "../components/learn/sorting/trialTable.js";
export { bitonicPasses } from "../engine/model/shortList.js";
