/** How a pipeline looks in every chart: told apart by its symbol too, not by colour alone. */
export interface PipelineMark {
  color: string;
  symbol: "circle" | "square" | "triangle" | "diamond";
}

const marks: Record<string, PipelineMark> = {
  binned: { color: "var(--current)", symbol: "circle" },
  tiled: { color: "var(--overflow)", symbol: "square" },
  simple: { color: "var(--group-correlation)", symbol: "triangle" },
  cpu: { color: "var(--group-opacity)", symbol: "diamond" },
};

export function pipelineMark(pipeline: string): PipelineMark {
  return marks[pipeline] ?? marks.cpu;
}
