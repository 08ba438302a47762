// All that a cell imports: here by the path of this module, in other projects as the package splatbook. What only this
// site has is in src/notebook.ts.

// Training: an engine, a picture and a config make a run, and a run hands out its values.

export { backstage } from "./components/backstage/backstage.js";
export { RunHistory } from "./components/training/history.js";
export { type Job, type Look, type Render, type Run, type RunStatus, train } from "./components/training/run.js";
export { runBar } from "./components/training/runBar.js";
export { describeEngine, startingJob } from "./components/training/startingJob.js";
export { timeline } from "./components/training/timeline.js";
export { completeConfig, listCapacity, type TrainConfig } from "./engine/config.js";
export { type Image, type Picture, toImage } from "./engine/image/image.js";
export { psnrOfLoss } from "./engine/image/metrics.js";
export { parameterGroups, rawNames } from "./engine/model/blobs.js";
export type { Snapshot } from "./engine/training/snapshot.js";
export { adapterTraits } from "./host/browser/adapter.js";
export { type BrowserEngine, openEngine } from "./host/browser/engine.js";
export { pageGpu } from "./host/browser/pageGpu.js";
export { type ChosenPicture, decodePicture } from "./host/browser/pictures.js";

// Inputs, whose values are for cells.

export { asked } from "./components/inputs/asked.js";
export { choose } from "./components/inputs/choose.js";
export { gridPicker } from "./components/inputs/gridPicker.js";
export { heldLook } from "./components/inputs/heldLook.js";
export { scrubber } from "./components/inputs/scrubber.js";
export { stepper } from "./components/inputs/stepper.js";
export { typed } from "./components/inputs/typed.js";
export { typedNumber } from "./components/inputs/typedNumber.js";
export { Settings } from "./components/training/settings.js";

// Figures, which are functions of values, numbers in words, and what else cells are made of.

export { canvasOf } from "./components/figures/canvasOf.js";
export { codeMarks } from "./components/figures/codeMarks.js";
export { codePairs } from "./components/figures/codePairs.js";
export { facts, figure } from "./components/figures/figure.js";
export { alignNumbers, formats } from "./components/figures/formats.js";
export { bringInSight } from "./components/figures/inSight.js";
export { pins, pointAt, pointsAt, pointsTo, standForAll } from "./components/figures/marks.js";
export { onGpu } from "./components/figures/onGpu.js";
export { pipelineScales } from "./components/figures/pipelineMarks.js";
export { scrollBox } from "./components/figures/scrollBox.js";
export { inFrames } from "./components/lab/inFrames.js";
export {
  bytesText,
  count,
  counted,
  decibels,
  inWords,
  percent,
  prefixed,
  secondsText,
  signed,
  time,
} from "./components/page/format.js";
export { whatHelps } from "./components/page/help.js";
export { numberText, shortText } from "./components/page/numberText.js";
export { pictureWindow } from "./components/pictures/pictureWindow.js";
export { wiped } from "./components/pictures/wipe.js";
export { axisRange } from "./components/runs/axisRange.js";
export { thinned } from "./components/runs/curve.js";
export { gradientDistributions, parameterDistributions } from "./components/runs/distributions.js";
export { errorMaps } from "./components/runs/errorMaps.js";
export { nearLimit } from "./components/runs/listLimit.js";
export { clippedScale } from "./components/runs/logScale.js";
export { ruleAt } from "./components/runs/ruleAt.js";
export { someRows } from "./components/tables/arrowTable.js";
export { linkedRows } from "./components/tables/linkedRows.js";

// The lab: what a tile and a pixel see, and runs that are kept, taken along and gone on with.

export { blendingKernel, kernelReader } from "./components/kernels/kernelReader.js";
export { labKernels } from "./components/kernels/labKernels.js";
export { configLoader } from "./components/lab/configLoader.js";
export { downloadButtons } from "./components/lab/downloads.js";
export { goOnOffers } from "./components/lab/goOnOffers.js";
export { heaviestThing, outlinesOf } from "./components/lab/heaviest.js";
export { runKeeper } from "./components/lab/runKeeper.js";
export { abandonedRuns, RunSafety } from "./components/lab/runSafety.js";
export { safetyLine } from "./components/lab/safetyLine.js";
export { decodeScene } from "./components/lab/scene.js";
export { layerNames, tileLayers } from "./components/lab/tileLayers.js";
export { tileAt, tileList } from "./components/lab/tileList.js";
export { tileLegend, tilePanel } from "./components/lab/tilePanel.js";
export { listOf, listShapes, sceneOf, tilePicker } from "./components/lab/tilePicker.js";
export { triptych } from "./components/lab/triptych.js";
export { readLink, wholeLink, writeLink } from "./components/training/link.js";
export { RunStore } from "./host/browser/runStore.js";
export { saveFile } from "./host/browser/saveFile.js";

// Chapters, in their order: workgroups,

export { exchangeOn, exchangeRace } from "./components/learn/workgroups/exchange.js";
export { arrivalWords, exchangeDrawing, linesOfArrival } from "./components/learn/workgroups/exchangeDrawing.js";
export { threadPicker } from "./components/learn/workgroups/threadPicker.js";
export { threadPlace, threadsOf } from "./components/learn/workgroups/threadPlaces.js";
export { workgroupMemory } from "./components/learn/workgroups/workgroupMemory.js";
export { tileGrid } from "./engine/model/uv.js";

// tiles,

export { axisTitle, overlapChart, shadowChart, stepAxes } from "./components/learn/tiles/axisCharts.js";
export { askKernel, blobList, costWords, firstBlob, listFacts } from "./components/learn/tiles/blobList.js";
export { cutLists, drawAt, drawTiles } from "./components/learn/tiles/drawTiles.js";
export { batchesOf, gatherTally, strideScene, traceGather, turnWords } from "./components/learn/tiles/gather.js";
export { handEditor } from "./components/learn/tiles/handEditor.js";
export { handBlobs, handSize, handTiles } from "./components/learn/tiles/handScene.js";
export { attemptsOf, overflowFacts } from "./components/learn/tiles/overflow.js";
export { askedTests, axisTests } from "./components/learn/tiles/separation.js";
export {
  appendedWords,
  gatheredList,
  scanChart,
  strideCode,
  strideShapes,
  turnOf,
} from "./components/learn/tiles/strideTables.js";
export {
  boundsOf,
  fullestTile,
  idlestTile,
  listCosts,
  membersOf,
  placeOfTile,
  tileOfPlace,
  tileScene,
} from "./components/learn/tiles/tileScene.js";
export { gridShapes, outlineLegend, tileShapes } from "./components/learn/tiles/tileShapes.js";
export { tileUv, uvChart, uvFacts, uvView, uvWords } from "./components/learn/tiles/uvView.js";
export { closeUps, windowSlots, windowWords } from "./components/learn/tiles/windowCharts.js";
export { blobsOfTile } from "./engine/cpu/tileLists.js";

// sorting,

export { arrivedList } from "./components/learn/sorting/arrival.js";
export { directionDrawing, pairPicker } from "./components/learn/sorting/bitDrawings.js";
export { mergeDrawing } from "./components/learn/sorting/mergeDrawing.js";
export { recordMerge } from "./components/learn/sorting/mergeModel.js";
export { networkDrawing } from "./components/learn/sorting/networkDrawing.js";
export { zeroOneCheck, zeroOneVerdict } from "./components/learn/sorting/networkModel.js";
export { numbersInput, randomNumbers, readHowMany, readNumbers } from "./components/learn/sorting/numbers.js";
export { passTable } from "./components/learn/sorting/passTable.js";
export { sortDrawing } from "./components/learn/sorting/sortDrawing.js";
export { sortThere, swapList } from "./components/learn/sorting/sortKernel.js";
export { networkCost, recordSort, serialComparisons } from "./components/learn/sorting/sortModel.js";
export { sortStepper } from "./components/learn/sorting/sortStepper.js";
export { directionWords, linesAtWork, mergeWords, networkWords, sortFacts } from "./components/learn/sorting/words.js";
export { bitonicPasses } from "./engine/model/shortList.js";

// blending,

export { blendFigure, linesAt } from "./components/learn/blending/blendFigure.js";
export { blendingOf, describeEvent, placeOf, stepOf } from "./components/learn/blending/blendModel.js";
export { blobEditor } from "./components/learn/blending/blobEditor.js";
export { describeLayers, layerLabel, overFigure } from "./components/learn/blending/overFigure.js";
export { apartWords, tracePixel } from "./components/learn/blending/pixelKernel.js";
export { pixelFacts, pixelPicker } from "./components/learn/blending/pixelPicker.js";
export { pixelStack } from "./components/learn/blending/pixelStack.js";
export { shareChart } from "./components/learn/blending/shareChart.js";

// the undo,

export { cacheFacts, evenFacts } from "./components/learn/undo/cacheModel.js";
export { cachingChart, seedsFacts, sides } from "./components/learn/undo/cachingChart.js";
export { ceilingFigure, ceilings } from "./components/learn/undo/ceilingFigure.js";
export { errorCharts, errorFacts, worstOf } from "./components/learn/undo/errorCharts.js";
export { undoErrors } from "./components/learn/undo/undoErrorModel.js";
export {
  describeWalk,
  linesOfWalk,
  undoFigure,
  undoneWords,
  undoTable,
  walkLength,
} from "./components/learn/undo/undoFigure.js";
export { undoWalk, withoutHidden } from "./components/learn/undo/undoModel.js";

// gradients,

export { floatOf, floatText, hex } from "./components/learn/gradients/floatBits.js";
export { listText, numberList } from "./components/learn/gradients/numberList.js";
export {
  blobOutline,
  disputedTile,
  pixelGradients,
  steepestBlob,
  tileLook,
  widestSteepBlob,
} from "./components/learn/gradients/pixelGradients.js";
export { gradientsOf, newRace, runRace, spreadOf } from "./components/learn/gradients/raceModel.js";
export { reduction } from "./components/learn/gradients/reductionModel.js";
export { reductionTree, tileMap } from "./components/learn/gradients/reductionTree.js";
export { reduceOnGpu, stageCode, stageWords } from "./components/learn/gradients/reductionWords.js";
export { swapCourse } from "./components/learn/gradients/swapCourse.js";
export { exactText, swapCode, swapLanes, swapsOnGpu } from "./components/learn/gradients/swapLanes.js";
export { atRandom, inTurns, oneByOne, retriesOf } from "./components/learn/gradients/swapModel.js";
export { largestGradientOf } from "./engine/model/accumulate.js";

// Adam,

export { apartFromTwin } from "./components/learn/adam/adamKernel.js";
export { adamTable, small } from "./components/learn/adam/adamTable.js";
export { adamRules, adamTraces } from "./components/learn/adam/adamTraces.js";
export { blobPicker } from "./components/learn/adam/blobPicker.js";
export { longestStep } from "./components/learn/adam/bound.js";
export { decodedOf, flatParts } from "./components/learn/adam/decoded.js";
export { recordedInput, replay, replayAll } from "./components/learn/adam/replay.js";
export { rateOf, ruleNames, ruleSample, ruleStyles, rules } from "./components/learn/adam/rules.js";
export { syntheticInputs } from "./components/learn/adam/synthetic.js";
export { logScale, traceCharts } from "./components/learn/adam/traceCharts.js";
export {
  isShipped,
  longestOf,
  parameterName,
  record,
  remarkable,
  sequenceOf,
  trainAll,
} from "./components/learn/adam/training.js";
export { adamConstants } from "./engine/model/adam.js";

// the whole step, with the flow of its kernels,

export { algorithmFlow } from "./components/learn/flow/algorithmFlow.js";
export { boundaryStages } from "./components/learn/flow/boundary.js";
export { boundaryFlow } from "./components/learn/flow/boundaryFlow.js";
export { judge, orderProof, stageOrders } from "./components/learn/flow/order.js";
export { stageFlow } from "./components/learn/flow/stageFlow.js";
export { listStages } from "./components/learn/flow/stages.js";
export { stepCosts, stepFlow } from "./components/learn/flow/stepFlow.js";
export { shownPipelines, stepKernels } from "./components/learn/flow/stepKernels.js";
export { adjointOf } from "./components/learn/step/adjoints.js";
export { checkedBy, checkFigure, checkStep } from "./components/learn/step/checkFigure.js";
export { samplePicker } from "./components/learn/step/samplePicker.js";
export { stageFigure } from "./components/learn/step/stageFigure.js";
export { stageInputs } from "./components/learn/step/stageInputs.js";
export { walkStep } from "./components/learn/step/stepWalk.js";
export { stepWalkFigure } from "./components/learn/step/stepWalkFigure.js";
export { stageNames } from "./components/learn/step/walkStages.js";

// and real time.

export { beginsByItself, firstSeconds } from "./components/learn/realtime/firstRun.js";
export { comparedAfter, comparePrograms, countedPairs, pageRace } from "./components/learn/realtime/pageRace.js";
export { raceBar, raceLanes } from "./components/learn/realtime/raceBar.js";
export { firstField, offerOf } from "./components/learn/realtime/raceJob.js";
export { orRecorded, recordedRunners, recordedWords } from "./components/learn/realtime/recordedRace.js";
export { jobSentence, undoSentence } from "./components/learn/realtime/recordedWords.js";
export { factors, ofProgram, racedTimes, recordedTimes } from "./components/learn/realtime/times.js";
export { keptBytes } from "./engine/bench/realtime/evaluatedPairs.js";
export { programOf, programs, refusal } from "./engine/bench/realtime/programs.js";

// The other pages: kernels,

export { KeptKernels } from "./components/kernels/keptKernels.js";
export { kernelDesk } from "./components/kernels/kernelDesk.js";
export { KernelEdits } from "./components/kernels/kernelEdits.js";
export { kernelReading } from "./components/kernels/kernelReading.js";
export { gradientCheckTable, kernelState } from "./components/kernels/kernelState.js";
export { LiveKernels } from "./components/kernels/liveKernels.js";

// sweeps,

export { runGrid } from "./components/sweep/runGrid.js";
export { sweepAxes } from "./components/sweep/sweepAxes.js";
export { sweepBar } from "./components/sweep/sweepBar.js";
export { axisLabel, measures, shownValue } from "./components/sweep/sweepFields.js";
export { givenBy, readSweepLink, writeSweepLink } from "./components/sweep/sweepJob.js";
export { planSentence, sweepPlan } from "./components/sweep/sweepPlan.js";
export { SweepStore } from "./components/sweep/sweepStore.js";
export { sweepTraining } from "./components/sweep/sweepTraining.js";
export { engineSentence, inkOn, numberIn, runSettings, runWords } from "./components/sweep/sweepWords.js";

// comparisons,

export {
  choice,
  errorPairs,
  filmScrubber,
  filmStepsOf,
  nothing,
  pictureGrid,
  rowsAt,
  rowsOf,
  settingRows,
  sizesNote,
  tablesOf,
  wipeSides,
} from "./components/compare/comparedParts.js";
export { Comparison } from "./components/compare/comparison.js";
export { markRuns, ofRun, runKey, runLabel } from "./components/compare/runMarks.js";
export { runTable } from "./components/compare/runTable.js";

// quality,

export { numbered } from "./components/quality/anchors.js";
export { ablationOf, besideRival, picturesOf, progressOf, seriesOf } from "./components/quality/qualityFacts.js";
export {
  ablationSentence,
  bitsSentence,
  blendSentence,
  hurriedSentence,
  ladderSentence,
  qualityOrigin,
  rivalNote,
  sizesSentence,
  withoutSentence,
} from "./components/quality/qualityWords.js";
export { readCurves, readQuality } from "./engine/bench/qualityResult.js";

// and speed.

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
export { trialTable } from "./components/performance/story.js";
export { readScaling } from "./engine/bench/scaling.js";
export { operationsPerPair, pairWork } from "./engine/bench/work.js";
export { loadShaders } from "./host/browser/shaderFiles.js";
