import { figure } from "../../figures/figure.js";
import { type FlowArrow, flowChart, stageThing } from "./flowChart.js";

/** A part of the step: its place in the flow, the function of a WGSL file that does it, and the chapter about it. */
type PartRow = [
  title: string,
  at: [number, number],
  file: string,
  name: string,
  chapter: string,
  isAlgorithm?: boolean,
];

const partRows: PartRow[] = [
  ["Decode", [0, 0], "shared/decode.wgsl", "decode", "step"],
  ["Gather", [1, 0], "tiled/coarseRasterize.wgsl", "coarseRasterize", "tiles"],
  ["Sort", [2, 0], "tiled/bitonicSort.wgsl", "bitonicSort", "sorting", true],
  ["Blend", [3, 0], "tiled/fineRasterize.wgsl", "fineRasterize", "blending"],
  ["Compare", [4, 0], "shared/loss.wgsl", "lossBackward", "step"],
  ["Undo", [4, 1], "shared/blend.wgsl", "undoPixelState", "undo"],
  ["Adjoint", [3, 1], "shared/blend.wgsl", "alphaBlendBackward", "step"],
  ["Reduce", [2, 1], "shared/accumulate.wgsl", "treeReduce", "gradients", true],
  ["Add up", [1, 1], "shared/accumulate.wgsl", "atomicAccumulate", "gradients", true],
  ["Update", [0, 1], "shared/adam.wgsl", "adam", "adam"],
];

/** Forward from left to right, and back. */
export const stepStages = partRows.map(([title, at, file, name, chapter, isAlgorithm = false]) => {
  return { title, at, file, name, chapter, isAlgorithm };
});

/** What is handed on, round and round. */
export const stepArrows = stepStages.map(({ title, at: [, row] }, k): FlowArrow => {
  const to = stepStages[(k + 1) % stepStages.length].title;
  if (title === "Update") return { from: title, to, label: "raw parameters" };
  if (title === "Compare") return { from: title, to, label: "C̄, T̄", kind: "gradient" };
  return { from: title, to, ...(row === 1 && { kind: "gradient" }) };
});

/** Where sorting, reduction and compare-and-swap stand in the way forward and back; each box leads to its chapter. */
export function algorithmFlow(width: number): HTMLElement {
  const boxes = stepStages.map(({ title, at, file, name, chapter, isAlgorithm }) => {
    const kind = isAlgorithm ? ("colored" as const) : undefined;
    return { id: title, title, note: name, at, kind, href: `./${chapter}`, things: [stageThing(file, name)] };
  });
  return figure(
    {
      title: "The three parallel algorithms of a step",
      alt: "Forward pass: decode, gather, sort, blend, compare. Backward pass: undo, adjoint, reduce, add up, update. Sort, reduce and add up are the parallel algorithms.",
      note: "Grey arrows: forward pass. Coloured arrows: backward pass. In the three coloured boxes threads work together. Each box links to its chapter.",
      isWide: true,
    },
    flowChart(
      { label: "A training step: forward pass from left to right, then backward pass", boxes, arrows: stepArrows },
      width,
    ),
  );
}
