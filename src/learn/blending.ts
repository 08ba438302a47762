// What the chapter blending.md imports: the package's entry point splatbook/learn/blending.

export { blendFigure, linesAt } from "../components/learn/blending/blendFigure.js";
export { blendingOf } from "../components/learn/blending/blendModel.js";
export { blobEditor } from "../components/learn/blending/blobEditor.js";
export { describeLayers, layerLabel, overFigure } from "../components/learn/blending/overFigure.js";
export { apartWords, tracePixel } from "../components/learn/blending/pixelKernel.js";
export { pixelFacts, pixelPicker } from "../components/learn/blending/pixelPicker.js";
export { pixelStack } from "../components/learn/blending/pixelStack.js";
export { shareChart } from "../components/learn/blending/shareChart.js";
export { turnStepper } from "../components/learn/blending/turnStepper.js";
export { judge, orderProof, stageOrders } from "../components/learn/flow/order.js";
export { stageFlow } from "../components/learn/flow/stageFlow.js";
export { listStages } from "../components/learn/flow/stages.js";
