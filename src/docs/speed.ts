// Exports for the cells of speed.md, besides the library and figures.ts.

export { percent, time } from "../components/page/format.js";
