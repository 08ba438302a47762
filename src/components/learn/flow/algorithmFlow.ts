import { figure } from "../../figures/figure.js";
import { type FlowArrow, flowChart, stageThing } from "./flowChart.js";

/** A stage of the step: its position in the chart, its function in a WGSL file, and its chapter. */
type StageRow = [
  title: string,
  at: [number, number],
  file: string,
  name: string,
  chapter: string,
  isAlgorithm?: boolean,
];

const stageRows: StageRow[] = [
  ["Decode", [0, 0], "shared/decode.wgsl", "decode", "blob"],
  ["Gather", [1, 0], "tiled/coarseRasterize.wgsl", "coarseRasterize", "tiles"],
  ["Sort", [2, 0], "tiled/bitonicSort.wgsl", "bitonicSort", "sorting", true],
  ["Blend", [3, 0], "tiled/fineRasterize.wgsl", "fineRasterize", "blending"],
  ["Loss", [4, 0], "shared/loss.wgsl", "lossBackward", "blob"],
  ["Undo", [4, 1], "shared/blend.wgsl", "undoPixelState", "undo"],
  ["Adjoint", [3, 1], "shared/blend.wgsl", "alphaBlendBackward", "gradients"],
  ["Reduce", [2, 1], "shared/accumulate.wgsl", "treeReduce", "reduction", true],
  ["Accumulate", [1, 1], "shared/accumulate.wgsl", "atomicAccumulate", "reduction", true],
  ["Adam", [0, 1], "shared/adam.wgsl", "adam", "adam"],
];

/** The stages of a step: the forward pass from left to right, then the backward pass. */
export const stepStages = stageRows.map(([title, at, file, name, chapter, isAlgorithm = false]) => {
  return { title, at, file, name, chapter, isAlgorithm };
});

/** The arrows from each stage to the next, in a cycle. */
export const stepArrows = stepStages.map(({ title, at: [, row] }, k): FlowArrow => {
  const to = stepStages[(k + 1) % stepStages.length].title;
  if (title === "Adam") return { from: title, to, label: "raw parameters" };
  if (title === "Loss") return { from: title, to, label: "C̄, T̄", kind: "gradient" };
  return { from: title, to, ...(row === 1 && { kind: "gradient" }) };
});

/** Returns a figure of the stages of a step, with the parallel algorithms marked; each box links to its chapter. */
export function algorithmFlow(width: number): HTMLElement {
  const boxes = stepStages.map(({ title, at, file, name, chapter, isAlgorithm }) => {
    const kind = isAlgorithm ? ("colored" as const) : undefined;
    return { id: title, title, note: name, at, kind, href: `./${chapter}.html`, things: [stageThing(file, name)] };
  });
  return figure(
    {
      title: "The three parallel algorithms of a step",
      alt: "Forward pass: decode, gather, sort, blend, loss. Backward pass: undo, adjoint, reduce, accumulate, Adam. Sort, reduce and accumulate are the parallel algorithms.",
      note: "Grey arrows: forward pass. Coloured arrows: backward pass. The threads cooperate in the three coloured boxes. Each box links to its chapter.",
      isWide: true,
    },
    flowChart(
      { label: "A training step: forward pass from left to right, then backward pass", boxes, arrows: stepArrows },
      width,
    ),
  );
}
