// The editor and the parser of cells: a page loads them when its reader first edits a cell.

export { CellList } from "./cellList.js";
export { Notebook } from "./notebook.js";
export { question } from "./question.js";
