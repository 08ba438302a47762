// Observable Inputs, as the cells of this site have them.

export * from "observablehq:stdlib/inputs";
export { table } from "../tables/table.js";
export { range } from "./range.js";
