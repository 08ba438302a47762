import type { CpuReference } from "../../kernels/kernelHeader.js";
import type { FlowArrow } from "./flowChart.js";

/** Whether a stage has a gradient: everywhere, everywhere except where it jumps or has a kink, or nowhere. */
export type GradientKind = "smooth" | "almost everywhere" | "none";

/** A stage of the forward pass, with its derivative. */
export type BoundaryStage = ReturnType<typeof stage>;

const stage = (
  [title, note, ...at]: [title: string, note: string, column: number, row: number],
  gradient: GradientKind,
  /** Path under shaders/, the function that computes it, and the one that computes its adjoint. */
  [file, name, adjoint]: [file: string, name: string, adjoint?: string],
  reference: CpuReference,
  reason: string,
) => ({ id: title, title, note, at, gradient, reason, file, name, adjoint, reference });

/** The stages of the forward pass: those that values pass through, and those that select something. */
export const boundaryStages: BoundaryStage[] = [
  stage(
    ["Decode", "raw → blob", 0, 1],
    "almost everywhere",
    ["shared/decode.wgsl", "decode", "decodeBackward"],
    { file: "model/blob.ts", name: "decodeSmoothstep" },
    "A smoothstep is a cubic between 0 and 1 and constant outside. Its slope is continuous, so nothing jumps. Where it is constant the slope is zero: a raw parameter outside the range gets no gradient.",
  ),
  stage(
    ["Evaluate", "blob, uv → c, α", 1, 1],
    "almost everywhere",
    ["shared/blob.wgsl", "eval", "evalBackward"],
    { file: "model/blob.ts", name: "evalBackward" },
    "An exponential of a quadratic is smooth in all nine values. It has a kink where α reaches 0.99: beyond, α is constant and the adjoint is zero.",
  ),
  stage(
    ["Blend", "C, T → C′, T′", 2, 1],
    "smooth",
    ["shared/blend.wgsl", "alphaBlend", "alphaBlendBackward"],
    { file: "model/blend.ts", name: "alphaBlendBackward" },
    "C + αTc and T (1 − α) are polynomials of all inputs, with a derivative everywhere.",
  ),
  stage(
    ["Composite", "C, T → colour", 3, 1],
    "smooth",
    ["shared/loss.wgsl", "composite", "compositeBackward"],
    { file: "model/blend.ts", name: "lossBackward" },
    "C (1 − T) + T is a polynomial as well. Its adjoint divides the error between C and T.",
  ),
  stage(
    ["Loss", "squared error", 4, 1],
    "smooth",
    ["shared/loss.wgsl", "lossBackward", "lossBackward"],
    { file: "model/blend.ts", name: "lossBackward" },
    "A square. Its derivative is twice the error, and the backward pass begins with it.",
  ),
  stage(
    ["Tile test", "yes or no", 0, 0],
    "none",
    ["shared/bounds.wgsl", "intersects"],
    { file: "model/bounds.ts", name: "intersects" },
    "Whether two boxes meet is a comparison. If a blob moves a little, the result stays the same: its derivative is zero where it exists. Nothing is lost, since the box contains the whole support: where the result changes, the blob contributes nothing to the tile.",
  ),
  stage(
    ["Gather", "indices", 1, 0],
    "none",
    ["tiled/coarseRasterize.wgsl", "coarseRasterize"],
    { file: "model/shortList.ts", name: "coarseRasterize" },
    "A tile list holds the indices of blobs. An index is a whole number, and nothing is between blob 7 and blob 8, so there is no slope.",
  ),
  stage(
    ["Sort", "an order", 2, 0],
    "none",
    ["tiled/bitonicSort.wgsl", "bitonicSort"],
    { file: "model/shortList.ts", name: "bitonicSort" },
    "A sort selects one of finitely many orders. Here it does not depend on the parameters, since blobs are sorted by index. With real depths, the order would jump where two depths are equal, and have a derivative of zero elsewhere. The values of the blobs pass through the list unchanged, and so do their gradients.",
  ),
  stage(
    ["Pixel position", "uv, no_diff", 0, 2],
    "none",
    ["shared/uv.wgsl", "calcUV"],
    { file: "model/uv.ts", name: "calcUV" },
    "α changes with uv, the position of the pixel, but no parameter changes uv. The original Slang sample marks it no_diff, so no derivative is computed.",
  ),
  stage(
    ["Support", "power ≥ −8", 1, 2],
    "none",
    ["shared/blob.wgsl", "falloffAt"],
    { file: "model/blob.ts", name: "evalFalloff" },
    "At 4σ the falloff jumps from e⁻⁸ ≈ 0.000335 to zero. The edge moves with the parameters, but a jump has no derivative, so it is left out. It is small: at most 255 · e⁻⁸ ≈ 0.086 levels of an 8-bit image.",
  ),
  stage(
    ["Stop", "T < 1/255", 2, 2],
    "none",
    ["shared/blend.wgsl", "transformPixelState"],
    { file: "model/blend.ts", name: "transformPixelState" },
    "Where a pixel stops is a comparison too. The blobs behind get no gradient from this pixel, which is right while they stay behind: they are invisible. Where one blob more or less is applied, the image jumps by less than 1/255.",
  ),
];

/** Values forward, gradients backward, and selections, which pass no gradient. */
export const boundaryArrows: FlowArrow[] = [
  ...["Decode Evaluate", "Evaluate Blend", "Blend Composite", "Composite Loss"].flatMap((ends): FlowArrow[] => {
    const [from, to] = ends.split(" ");
    return [
      { from, to },
      { from: to, to: from, kind: "gradient" },
    ];
  }),
  { from: "Decode", to: "Tile test" },
  { from: "Tile test", to: "Gather", kind: "integers" },
  { from: "Gather", to: "Sort", kind: "integers" },
  { from: "Sort", to: "Blend", kind: "integers" },
  { from: "Pixel position", to: "Evaluate", kind: "integers" },
  { from: "Support", to: "Evaluate", kind: "integers" },
  { from: "Stop", to: "Blend", kind: "integers" },
];
