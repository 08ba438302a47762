// Exports for the cells of the lab, besides the library and figures.ts. d3 as a whole loads when a cell names it.

export { extent, groups as groupsOf, max } from "d3-array";
export { evenlySpacedIndices } from "./components/figures/evenlySpaced.js";
export { formats } from "./components/figures/formats.js";
export { linkChart, observePinned, observePointed } from "./components/figures/pointing.js";
export { Autosave, abandonedRuns } from "./components/lab/autosave.js";
export { autosaveLine } from "./components/lab/autosaveLine.js";
export { configLoader } from "./components/lab/configLoader.js";
export { runFiles, tableFile } from "./components/lab/downloads.js";
export { heaviestThing, outlinesOf } from "./components/lab/heaviest.js";
export { labStart } from "./components/lab/labStart.js";
export { describePasses, listedBlobs, tileLegend } from "./components/lab/listedBlobs.js";
export { openingImage, psnrOfStrip } from "./components/lab/openingImage.js";
export { presetChoice } from "./components/lab/presetChoice.js";
export { resumeOffers } from "./components/lab/resumeOffers.js";
export { runSaver } from "./components/lab/runSaver.js";
export { settingsList } from "./components/lab/settingsList.js";
export { layerNames, tileLayers } from "./components/lab/tileLayers.js";
export { listOf, listShapes, sceneOf, tilePicker } from "./components/lab/tilePicker.js";
export { valueTable } from "./components/lab/valueTable.js";
export { groupLabel, showNumber } from "./components/page/format.js";
export { clippedScale } from "./components/runs/logScale.js";
export { rowOfBlob } from "./components/tables/activeRows.js";
export { readLink } from "./components/training/link.js";
export { listCapacity } from "./engine/config.js";
export { decodedNames } from "./engine/model/blobs.js";
