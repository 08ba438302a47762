// The public library. Other projects import it as the package splatbook, and cells of this site by the path of this module.

export { describeEngine } from "./components/lab/labStart.js";
export { triptych } from "./components/lab/triptych.js";
export { checkGradients } from "./components/training/checkGradients.js";
export { type Job, train } from "./components/training/job.js";
export type { Inspection } from "./components/training/readbacks.js";
export type { Render, Run, RunStatus } from "./components/training/run.js";
export { runBar } from "./components/training/runBar.js";
export { RunHistory } from "./components/training/runHistory.js";
export { Settings } from "./components/training/settings.js";
export { startingJob } from "./components/training/startingJob.js";
export type { Step } from "./components/training/step.js";
export { timeline } from "./components/training/timeline.js";
export { runInWorker } from "./components/worker/runInWorker.js";
export { completeConfig, type TrainConfig } from "./engine/config.js";
export { type FloatImage, type Image, toImage } from "./engine/image/image.js";
export { psnrOfLoss } from "./engine/image/metrics.js";
export { parameterGroups, rawNames } from "./engine/model/blobs.js";
export type { RunOptions } from "./engine/training/schedule.js";
export type { Snapshot } from "./engine/training/snapshot.js";
export { Trainer } from "./engine/training/trainer.js";
export { adapterTraits } from "./host/browser/adapter.js";
export { type BrowserEngine, openEngine } from "./host/browser/engine.js";
export { type ChosenImage, decodeImage } from "./host/browser/images.js";
export { pageGpu } from "./host/browser/pageGpu.js";
export { RunStore } from "./host/browser/runStore.js";
export { saveFile } from "./host/browser/saveFile.js";
