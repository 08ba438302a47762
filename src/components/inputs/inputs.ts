// Observable Inputs for the cells of this site, with a range and a table of our own.

export * from "observablehq:stdlib/inputs";
export { table } from "../tables/table.js";
export { range } from "./range.js";
