// Exports for the cells of sweep.md, besides the library and figures.ts.

export { openSweep, sweepJson } from "./components/sweep/openSweep.js";
export { runGrid } from "./components/sweep/runGrid.js";
export { sweepAxes } from "./components/sweep/sweepAxes.js";
export { sweepBar } from "./components/sweep/sweepBar.js";
export { chartHeightOf, sweepChart } from "./components/sweep/sweepCharts.js";
export { axisLabel } from "./components/sweep/sweepFields.js";
export { givenFields, readSweepLink, writeSweepLink } from "./components/sweep/sweepJob.js";
export { planSentence, sweepPlan } from "./components/sweep/sweepPlan.js";
export { engineSentence, runSentence, runSettings } from "./components/sweep/sweepSentences.js";
export { SweepStore } from "./components/sweep/sweepStore.js";
export { sweepTraining } from "./components/sweep/sweepTraining.js";
