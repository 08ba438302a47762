import type { Twin } from "../../kernels/twinTable.js";
import type { FlowArrow } from "./flowDiagram.js";

/** Whether a stage has a gradient: everywhere, but for edges where it jumps or bends, or nowhere. */
export type GradientKind = "smooth" | "almost everywhere" | "none";

/** A stage of the forward calculation, as seen by who takes derivatives. */
export interface BoundaryStage {
  id: string;
  title: string;
  note: string;
  at: [number, number];
  gradient: GradientKind;
  why: string;
  /** Path under shaders/, the function that computes it, and the one that computes its adjoint. */
  file: string;
  name: string;
  adjoint?: string;
  twin: Twin;
}

export const boundaryStages: BoundaryStage[] = [
  {
    id: "decode",
    title: "Decode",
    note: "raw → blob",
    at: [0, 1],
    gradient: "almost everywhere",
    why: "A smoothstep is a cubic between 0 and 1 and constant outside. Its slope is continuous, so nothing jumps; but where it is constant the slope is zero, and a raw parameter that has left the range gets no gradient at all.",
    file: "shared/decode.wgsl",
    name: "decode",
    adjoint: "decodeBackward",
    twin: { file: "cpu/blob.ts", name: "decodeSmoothstep" },
  },
  {
    id: "eval",
    title: "Evaluate",
    note: "blob, uv → c, α",
    at: [1, 1],
    gradient: "almost everywhere",
    why: "An exponential of a quadratic: smooth in all nine values. It bends where α reaches 0.99, since from there on α is constant, and its adjoint passes nothing through.",
    file: "shared/blob.wgsl",
    name: "eval",
    adjoint: "evalBackward",
    twin: { file: "cpu/blob.ts", name: "evalBackward" },
  },
  {
    id: "blend",
    title: "Blend",
    note: "C, T → C′, T′",
    at: [2, 1],
    gradient: "smooth",
    why: "C + αcT and T (1 − α) are products and sums: a polynomial in everything that comes in, with a derivative everywhere.",
    file: "shared/blend.wgsl",
    name: "alphaBlend",
    adjoint: "alphaBlendBackward",
    twin: { file: "cpu/blend.ts", name: "alphaBlendBackward" },
  },
  {
    id: "composite",
    title: "Compose",
    note: "C, T → colour",
    at: [3, 1],
    gradient: "smooth",
    why: "C (1 − T) + T is a polynomial as well. Its adjoint tells how much of the error comes from the colour and how much from the light that is left.",
    file: "shared/loss.wgsl",
    name: "composite",
    adjoint: "compositeBackward",
    twin: { file: "cpu/blend.ts", name: "lossBackward" },
  },
  {
    id: "loss",
    title: "Loss",
    note: "squared error",
    at: [4, 1],
    gradient: "smooth",
    why: "A square. Its derivative is twice the error, and the way back begins with it.",
    file: "shared/loss.wgsl",
    name: "lossBackward",
    adjoint: "lossBackward",
    twin: { file: "cpu/blend.ts", name: "lossBackward" },
  },
  {
    id: "bounds",
    title: "Tile test",
    note: "yes or no",
    at: [0, 0],
    gradient: "none",
    why: "Whether two boxes meet is a comparison. Move a blob a little, and the answer stays as it is; its derivative is zero wherever there is one. No light is lost by that, since the box holds the whole support: where the answer flips, the blob contributes nothing to the tile.",
    file: "shared/bounds.wgsl",
    name: "intersects",
    twin: { file: "cpu/bounds.ts", name: "intersects" },
  },
  {
    id: "gather",
    title: "Gather",
    note: "indices",
    at: [1, 0],
    gradient: "none",
    why: "A short-list holds the indices of blobs. An index is a whole number: there is nothing between blob 7 and blob 8, so there is no slope.",
    file: "tiled/coarseRasterize.wgsl",
    name: "coarseRasterize",
    twin: { file: "cpu/shortList.ts", name: "coarseRasterize" },
  },
  {
    id: "sort",
    title: "Sort",
    note: "an order",
    at: [2, 0],
    gradient: "none",
    why: "A sort picks one of finitely many orders. Here it does not even depend on the parameters, since blobs are sorted by their index. Where a depth is the key, the order is constant until two depths are equal, and jumps there; its derivative is zero all the same. The blobs' own values pass through the list unchanged, and so do their gradients.",
    file: "tiled/bitonicSort.wgsl",
    name: "bitonicSort",
    twin: { file: "cpu/shortList.ts", name: "bitonicSort" },
  },
  {
    id: "uv",
    title: "Pixel’s place",
    note: "uv, no_diff",
    at: [0, 2],
    gradient: "none",
    why: "The blob's colour does change with uv, but uv changes with no parameter: it is the place of a pixel, and training cannot move it. The seeds mark it no_diff, so that nobody computes a derivative that nobody wants.",
    file: "shared/uv.wgsl",
    name: "calcUV",
    twin: { file: "cpu/uv.ts", name: "calcUV" },
  },
  {
    id: "support",
    title: "Support",
    note: "power ≥ −8",
    at: [1, 2],
    gradient: "none",
    why: "At 4σ the falloff jumps from e⁻⁸ ≈ 0.000335 to zero. The place of the edge moves with the parameters, and a jump has no derivative; it is left out. The jump is small: 255 · e⁻⁸ ≈ 0.086 grey levels at the most.",
    file: "shared/blob.wgsl",
    name: "falloffAt",
    twin: { file: "cpu/blob.ts", name: "evalFalloff" },
  },
  {
    id: "stop",
    title: "Last blob",
    note: "T < 1/255",
    at: [2, 2],
    gradient: "none",
    why: "Which blob is the last one of a pixel is a comparison too. The blobs behind it get no gradient from this pixel, and that is right as long as they stay behind: they do not show. Where one blob more comes in or drops out, the picture jumps by less than 1/255.",
    file: "shared/blend.wgsl",
    name: "transformPixelState",
    twin: { file: "cpu/blend.ts", name: "transformPixelState" },
  },
];

/** Data forward, gradients back, and decisions, through which no gradient comes. */
export const boundaryArrows: FlowArrow[] = [
  ...(["decode eval", "eval blend", "blend composite", "composite loss"] as const).flatMap((pair): FlowArrow[] => {
    const [from, to] = pair.split(" ");
    return [
      { from, to },
      { from: to, to: from, kind: "gradient" },
    ];
  }),
  { from: "decode", to: "bounds" },
  { from: "bounds", to: "gather", kind: "integers" },
  { from: "gather", to: "sort", kind: "integers" },
  { from: "sort", to: "blend", kind: "integers" },
  { from: "uv", to: "eval", kind: "integers" },
  { from: "support", to: "eval", kind: "integers" },
  { from: "stop", to: "blend", kind: "integers" },
];
