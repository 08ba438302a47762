import type { FlowArrow } from "./flowDiagram.js";

/** A part of the step, with the function that does it. */
export interface StepPart {
  id: string;
  title: string;
  at: [number, number];
  /** Path under shaders/, and the function in it. */
  file: string;
  name: string;
  /** The chapter that is about it, in src/learn/. */
  chapter: string;
  /** Whether it is one of the parallel algorithms. */
  isAlgorithm?: boolean;
}

/** Forward from left to right, and back. */
export const stepParts: StepPart[] = [
  { id: "decode", title: "Decode", at: [0, 0], file: "shared/decode.wgsl", name: "decode", chapter: "step" },
  {
    id: "gather",
    title: "Gather",
    at: [1, 0],
    file: "tiled/coarseRasterize.wgsl",
    name: "coarseRasterize",
    chapter: "tiles",
  },
  {
    id: "sort",
    title: "Sort",
    at: [2, 0],
    file: "tiled/bitonicSort.wgsl",
    name: "bitonicSort",
    chapter: "sorting",
    isAlgorithm: true,
  },
  {
    id: "blend",
    title: "Blend",
    at: [3, 0],
    file: "tiled/fineRasterize.wgsl",
    name: "fineRasterize",
    chapter: "blending",
  },
  { id: "loss", title: "Compare", at: [4, 0], file: "shared/loss.wgsl", name: "lossBackward", chapter: "step" },
  { id: "undo", title: "Undo", at: [4, 1], file: "shared/blend.wgsl", name: "undoPixelState", chapter: "undo" },
  {
    id: "adjoint",
    title: "Adjoint",
    at: [3, 1],
    file: "shared/blend.wgsl",
    name: "alphaBlendBackward",
    chapter: "step",
  },
  {
    id: "reduce",
    title: "Reduce",
    at: [2, 1],
    file: "shared/accumulate.wgsl",
    name: "treeReduce",
    chapter: "gradients",
    isAlgorithm: true,
  },
  {
    id: "swap",
    title: "Add up",
    at: [1, 1],
    file: "shared/accumulate.wgsl",
    name: "atomicAccumulate",
    chapter: "gradients",
    isAlgorithm: true,
  },
  { id: "update", title: "Update", at: [0, 1], file: "shared/adam.wgsl", name: "adam", chapter: "adam" },
];

/** What is handed on. */
export const stepArrows: FlowArrow[] = [
  { from: "decode", to: "gather" },
  { from: "gather", to: "sort" },
  { from: "sort", to: "blend" },
  { from: "blend", to: "loss" },
  { from: "loss", to: "undo", label: "dL/d(C, T)", kind: "gradient" },
  { from: "undo", to: "adjoint", kind: "gradient" },
  { from: "adjoint", to: "reduce", kind: "gradient" },
  { from: "reduce", to: "swap", kind: "gradient" },
  { from: "swap", to: "update", kind: "gradient" },
  { from: "update", to: "decode", label: "raw parameters" },
];
