// Everything that editing cells needs, in one module that a page loads when its reader opens a cell.

export { cellQuestion } from "./cellQuestion.js";
export { LiveCell } from "./liveCell.js";
export { cellsOf, writePage } from "./pageSource.js";
