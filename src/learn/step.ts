// Exports for the chapter step.md.

export { algorithmFlow } from "../components/learn/flow/algorithmFlow.js";
export { boundaryStages } from "../components/learn/flow/boundary.js";
export { boundaryFlow } from "../components/learn/flow/boundaryFlow.js";
export { stepCosts, stepFlow } from "../components/learn/flow/stepFlow.js";
export { shownPipelines, stepKernels } from "../components/learn/flow/stepKernels.js";
export { samplePicker } from "../components/learn/gradients/samplePicker.js";
export { stepExercises } from "../components/learn/step/exercises.js";
export { walkStep } from "../components/learn/step/stepWalk.js";
export { stepWalkFigure } from "../components/learn/step/stepWalkFigure.js";
export { stageNames, walkCode } from "../components/learn/step/walkStages.js";
