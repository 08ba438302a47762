// Exports for the chapter undo.md.

export { tracePixel } from "../components/learn/blending/pixelKernel.js";
export { pixelFacts, pixelPicker } from "../components/learn/blending/pixelPicker.js";
export { pixelStack } from "../components/learn/pixelStack.js";
export { cacheFacts, uniformFacts } from "../components/learn/undo/cacheModel.js";
export { cachingChart, originalFacts, sides } from "../components/learn/undo/cachingChart.js";
export { ceilingFigure, ceilings } from "../components/learn/undo/ceilingFigure.js";
export { ceilingErrors, largestErrors } from "../components/learn/undo/ceilingModel.js";
export { errorCharts, errorFacts, worstPixel } from "../components/learn/undo/errorCharts.js";
export { undoExercises } from "../components/learn/undo/exercises.js";
export { undoErrors } from "../components/learn/undo/undoErrorModel.js";
export {
  describeKernelUndo,
  describeWalk,
  undoFigure,
  undoTable,
  walkCodeLines,
  walkLength,
} from "../components/learn/undo/undoFigure.js";
export { undoWalk, withoutTransparent } from "../components/learn/undo/undoModel.js";
