import type { CodePairing } from "./codePairs.js";

/** The parts of the kernels that chapters show, and which of their lines do what: by chapter. */
export const codeMarks = {} satisfies Record<string, Record<string, CodePairing>>;
