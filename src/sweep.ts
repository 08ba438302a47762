// Exports for the cells of sweep.md, besides the library and figures.ts.

export { readSweepLink, sweepCommand, sweptField } from "./components/sweep/sweepLink.js";
export { sweepArrow, trainSweep } from "./components/sweep/trainSweep.js";
export { presetStart } from "./components/training/startingJob.js";
export { changedFields } from "./engine/config.js";
export { fieldNames, fields } from "./engine/fields.js";
export { bestRow } from "./engine/sweep/ranking.js";
export { sweepOf } from "./engine/sweep/sweep.js";
export { parseValues } from "./engine/sweep/sweptValues.js";
