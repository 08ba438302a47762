// The editor and the parsers of cells: a page loads them when its reader first edits a cell.

export { cellQuestion } from "./cellQuestion.js";
export { LiveCell } from "./liveCell.js";
export { editedCells, editsOfFile, writeJupyter, writeNotebookKit } from "./pageFormats.js";
export { imageFile, pageProject } from "./pageProject.js";
export { cellsOf, writePage } from "./pageSource.js";
