import type { PipelineMark } from "../pipelineMarks.js";

/** How rows look in every chart of them: the quality preset, and what stands beside it. */
export function rowMark(row: string): PipelineMark {
  return row === "quality"
    ? { color: "var(--current)", symbol: "circle" }
    : { color: "var(--overflow)", symbol: "square" };
}

/** What others reached. */
export const anchorMark: PipelineMark = { color: "var(--group-correlation)", symbol: "diamond" };
