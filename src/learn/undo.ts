// What the chapter undo.md imports: the package's entry point splatbook/learn/undo.

export { cacheFacts, evenFacts } from "../components/learn/undo/cacheModel.js";
export { cachingChart, originalFacts, sides } from "../components/learn/undo/cachingChart.js";
export { ceilingFigure, ceilings } from "../components/learn/undo/ceilingFigure.js";
export { errorCharts, errorFacts, worstOf } from "../components/learn/undo/errorCharts.js";
export { undoErrors } from "../components/learn/undo/undoErrorModel.js";
export {
  describeWalk,
  linesOfWalk,
  undoFigure,
  undoneWords,
  undoTable,
  walkLength,
} from "../components/learn/undo/undoFigure.js";
export { undoWalk, withoutHidden } from "../components/learn/undo/undoModel.js";
