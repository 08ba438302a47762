// The editor and the parsers of cells: a page loads them when its reader first edits a cell.

export { CellList } from "./cellList.js";
export { cellQuestion } from "./cellQuestion.js";
export { editsOfFile, writePage } from "./pageFile.js";
