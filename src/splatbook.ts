// All that a cell imports: here by the path of this module, in other projects as the package splatbook. What only this
// site has is in src/notebook.ts.

// Training: an engine, a picture and a config make a run, and a run hands out its values.

export { RunHistory } from "./components/training/history.js";
export { type Job, type Look, type Render, type Run, type RunStatus, train } from "./components/training/run.js";
export { describeEngine, startingJob } from "./components/training/startingJob.js";
export { parameterGroups } from "./engine/blobs.js";
export type { TrainConfig } from "./engine/config.js";
export type { Image, Picture } from "./engine/image.js";
export type { Snapshot } from "./engine/trainer.js";
export { type BrowserEngine, openEngine } from "./host/browser.js";
export { type ChosenPicture, decodePicture } from "./host/pictures.js";

// Inputs, whose values are for cells.

export { choose } from "./components/inputs/choose.js";
export { gridPicker } from "./components/inputs/gridPicker.js";
export { heldLook } from "./components/inputs/heldLook.js";
export { stepper } from "./components/inputs/stepper.js";
export { runBar } from "./components/training/runBar.js";
export { Settings } from "./components/training/settings.js";

// Figures: functions of values.

export { codeMarks } from "./components/figures/codeMarks.js";
export { codePairs } from "./components/figures/codePairs.js";
export { facts, figure } from "./components/figures/figure.js";
export { formats } from "./components/figures/formats.js";
export { onGpu } from "./components/figures/onGpu.js";
export { blendingKernel, kernelReader } from "./components/kernels/kernelReader.js";
export { inFrames } from "./components/lab/inFrames.js";
export { decodeScene } from "./components/lab/scene.js";
export { listOf, listShapes, sceneOf, tilePicker } from "./components/lab/tilePicker.js";
export { layerNames, tileLayers } from "./components/lab/tileLayers.js";
export { tileAt, tileList } from "./components/lab/tileList.js";
export { tileLegend, tilePanel } from "./components/lab/tilePanel.js";
export { triptych } from "./components/lab/triptych.js";

// What a pixel sees: the blobs of its list, front to back, and the light that they leave.

export { backstage } from "./components/backstage/backstage.js";
export { pointAt } from "./components/figures/marks.js";
export { blendFigure, linesAt } from "./components/learn/blending/blendFigure.js";
export { blendingOf, describeEvent, placeOf, stepOf } from "./components/learn/blending/blendModel.js";
export { blobEditor } from "./components/learn/blending/blobEditor.js";
export { apartWords, tracePixel } from "./components/learn/blending/pixelKernel.js";
export { pixelFacts, pixelPicker } from "./components/learn/blending/pixelPicker.js";
export { pixelStack } from "./components/learn/blending/pixelStack.js";
export { shareChart } from "./components/learn/blending/shareChart.js";

// Runs that are kept, taken along and gone on with.

export { labKernels } from "./components/kernels/labKernels.js";
export { configLoader } from "./components/lab/configLoader.js";
export { downloadButtons } from "./components/lab/downloads.js";
export { goOnOffers } from "./components/lab/goOnOffers.js";
export { runKeeper } from "./components/lab/runKeeper.js";
export { abandonedRuns, RunSafety } from "./components/lab/runSafety.js";
export { safetyLine } from "./components/lab/safetyLine.js";
export { readLink, writeLink } from "./components/training/link.js";
export { RunStore } from "./host/runStore.js";
