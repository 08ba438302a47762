// What editing a page's cells takes, in one module that is loaded when a reader wants to.

export { cellQuestion } from "./cellQuestion.js";
export { LiveCell } from "./liveCell.js";
export { cellsOf, writePage } from "./pageSource.js";
