// Exports for the chapter adam.md.

export { compareWithReference } from "../components/learn/adam/adamKernel.js";
export { adamTable, scientificText } from "../components/learn/adam/adamTable.js";
export { adamRules, adamTraces } from "../components/learn/adam/adamTraces.js";
export { blobPicker } from "../components/learn/adam/blobPicker.js";
export { decodeParameter, flatRanges } from "../components/learn/adam/decodedParameter.js";
export { adamExercises } from "../components/learn/adam/exercises.js";
export { findLongestStep, frozenParameters, notableParameters } from "../components/learn/adam/notableParameters.js";
export {
  hasKernelConstants,
  parameterName,
  recordedSequence,
  recordRun,
  trainByEveryRule,
} from "../components/learn/adam/recordedTraining.js";
export { recordedInput, replay, replayAll, steadySteps } from "../components/learn/adam/replay.js";
export { rateOf, ruleNames, ruleSample, ruleStyles, rules } from "../components/learn/adam/rules.js";
export { longestStep } from "../components/learn/adam/stepBound.js";
export { syntheticInputs } from "../components/learn/adam/synthetic.js";
export { logScale, traceCharts } from "../components/learn/adam/traceCharts.js";
export { adamConstants } from "../engine/model/adam.js";
