// Exports for the chapter blending.md.

export { blendFigure, codeLinesAt } from "../components/learn/blending/blendFigure.js";
export { pixelBlending, stackedLight } from "../components/learn/blending/blendModel.js";
export { blobEditor } from "../components/learn/blending/blobEditor.js";
export { blendingExercises } from "../components/learn/blending/exercises.js";
export { iterationStepper } from "../components/learn/blending/iterationStepper.js";
export { describeLayers, layerLabel, overFigure } from "../components/learn/blending/overFigure.js";
export { describeKernelDifference, tracePixel } from "../components/learn/blending/pixelKernel.js";
export { pixelFacts, pixelPicker } from "../components/learn/blending/pixelPicker.js";
export { pixelStack } from "../components/learn/blending/pixelStack.js";
export { weightChart } from "../components/learn/blending/weightChart.js";
export { stageFlow } from "../components/learn/flow/stageFlow.js";
export { compileOrder, orderReport, stageOrders } from "../components/learn/flow/stageOrder.js";
export { listStages } from "../components/learn/flow/stages.js";
