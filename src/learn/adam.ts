// What the chapter adam.md imports: the package's entry point splatbook/learn/adam.

export { apartFromTwin } from "../components/learn/adam/adamKernel.js";
export { adamTable, small } from "../components/learn/adam/adamTable.js";
export { adamRules, adamTraces } from "../components/learn/adam/adamTraces.js";
export { blobPicker } from "../components/learn/adam/blobPicker.js";
export { longestStep } from "../components/learn/adam/bound.js";
export { decodedOf, flatParts } from "../components/learn/adam/decoded.js";
export { recordedInput, replay, replayAll } from "../components/learn/adam/replay.js";
export { rateOf, ruleNames, ruleSample, ruleStyles, rules } from "../components/learn/adam/rules.js";
export { syntheticInputs } from "../components/learn/adam/synthetic.js";
export { logScale, traceCharts } from "../components/learn/adam/traceCharts.js";
export {
  isShipped,
  longestOf,
  parameterName,
  record,
  remarkable,
  sequenceOf,
  trainAll,
} from "../components/learn/adam/training.js";
export { adamConstants } from "../engine/model/adam.js";
