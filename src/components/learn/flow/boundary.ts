import type { CpuReference } from "../../kernels/cpuReferenceTable.js";
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
    "A smoothstep is a cubic between 0 and 1 and constant outside. Its slope is continuous, so nothing jumps; but where it is constant the slope is zero, and a raw parameter that has left the range gets no gradient at all.",
  ),
  stage(
    ["Evaluate", "blob, uv → c, α", 1, 1],
    "almost everywhere",
    ["shared/blob.wgsl", "eval", "evalBackward"],
    { file: "model/blob.ts", name: "evalBackward" },
    "An exponential of a quadratic: smooth in all nine values. It bends where α reaches 0.99: beyond, α is constant and the adjoint is zero.",
  ),
  stage(
    ["Blend", "C, T → C′, T′", 2, 1],
    "smooth",
    ["shared/blend.wgsl", "alphaBlend", "alphaBlendBackward"],
    { file: "model/blend.ts", name: "alphaBlendBackward" },
    "C + αcT and T (1 − α) are products and sums: a polynomial in everything that comes in, with a derivative everywhere.",
  ),
  stage(
    ["Compose", "C, T → colour", 3, 1],
    "smooth",
    ["shared/loss.wgsl", "composite", "compositeBackward"],
    { file: "model/blend.ts", name: "lossBackward" },
    "C (1 − T) + T is a polynomial as well. Its adjoint splits the error between the colour and the transmittance.",
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
    "Whether two boxes meet is a comparison. Move a blob a little, and the answer stays as it is; its derivative is zero wherever there is one. Nothing is lost, since the box contains the whole support: where the answer flips, the blob contributes nothing to the tile.",
  ),
  stage(
    ["Gather", "indices", 1, 0],
    "none",
    ["tiled/coarseRasterize.wgsl", "coarseRasterize"],
    { file: "model/shortList.ts", name: "coarseRasterize" },
    "A tile list holds the indices of blobs. An index is a whole number: there is nothing between blob 7 and blob 8, so there is no slope.",
  ),
  stage(
    ["Sort", "an order", 2, 0],
    "none",
    ["tiled/bitonicSort.wgsl", "bitonicSort"],
    { file: "model/shortList.ts", name: "bitonicSort" },
    "A sort picks one of finitely many orders. Here it does not even depend on the parameters, since blobs are sorted by their index. Where a depth is the key, the order is constant until two depths are equal, and jumps there; its derivative is zero all the same. The blobs' own values pass through the list unchanged, and so do their gradients.",
  ),
  stage(
    ["Pixel’s place", "uv, no_diff", 0, 2],
    "none",
    ["shared/uv.wgsl", "calcUV"],
    { file: "model/uv.ts", name: "calcUV" },
    "The blob's colour does change with uv, but uv changes with no parameter: it is the place of a pixel, and training cannot move it. The original Slang sample marks it no_diff, so no derivative is computed.",
  ),
  stage(
    ["Support", "power ≥ −8", 1, 2],
    "none",
    ["shared/blob.wgsl", "falloffAt"],
    { file: "model/blob.ts", name: "evalFalloff" },
    "At 4σ the falloff jumps from e⁻⁸ ≈ 0.000335 to zero. The place of the edge moves with the parameters, and a jump has no derivative; it is left out. The jump is small: 255 · e⁻⁸ ≈ 0.086 grey levels at the most.",
  ),
  stage(
    ["Last blob", "T < 1/255", 2, 2],
    "none",
    ["shared/blend.wgsl", "transformPixelState"],
    { file: "model/blend.ts", name: "transformPixelState" },
    "Which blob is the last one of a pixel is a comparison too. The blobs behind it get no gradient from this pixel, and that is right as long as they stay behind: they do not show. Where one blob more comes in or drops out, the image jumps by less than 1/255.",
  ),
];

/** Values forward, gradients backward, and selections, which pass no gradient. */
export const boundaryArrows: FlowArrow[] = [
  ...["Decode Evaluate", "Evaluate Blend", "Blend Compose", "Compose Loss"].flatMap((ends): FlowArrow[] => {
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
  { from: "Pixel’s place", to: "Evaluate", kind: "integers" },
  { from: "Support", to: "Evaluate", kind: "integers" },
  { from: "Last blob", to: "Blend", kind: "integers" },
];
