// What the lab imports besides the library and what pages share.

export { formats } from "./components/figures/formats.js";
export { pins, pointsAt, pointsTo } from "./components/figures/pointed.js";
export { blendingKernel, kernelReader } from "./components/kernels/kernelReader.js";
export { labKernels } from "./components/kernels/labKernels.js";
export { configLoader } from "./components/lab/configLoader.js";
export { downloadButtons } from "./components/lab/downloads.js";
export { goOnOffers } from "./components/lab/goOnOffers.js";
export { heaviestThing, outlinesOf } from "./components/lab/heaviest.js";
export { labStart } from "./components/lab/labStart.js";
export { openingImage, psnrOfStrip } from "./components/lab/openingImage.js";
export { runKeeper } from "./components/lab/runKeeper.js";
export { abandonedRuns, RunSafety } from "./components/lab/runSafety.js";
export { safetyLine } from "./components/lab/safetyLine.js";
export { layerNames, tileLayers } from "./components/lab/tileLayers.js";
export { tileLegend, tilePanel } from "./components/lab/tilePanel.js";
export { listOf, listShapes, sceneOf, tilePicker } from "./components/lab/tilePicker.js";
export { clippedScale } from "./components/runs/logScale.js";
export { someRows } from "./components/tables/arrowTable.js";
export { columnLists } from "./components/tables/columnHelp.js";
export { readLink } from "./components/training/link.js";
export { listCapacity } from "./engine/config.js";
export { gradientNotes, parameterNotes } from "./engine/files/columnNotes.js";
