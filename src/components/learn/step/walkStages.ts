import { listCapacity } from "../../../engine/config.js";
import { rawNames } from "../../../engine/model/blobs.js";
import type { CodePair } from "../../figures/codePairs.js";
import { colorText } from "../../figures/swatch.js";
import { count, counted } from "../../page/format.js";
import { numberText } from "../../page/numberText.js";
import type { StepWalk, WalkedPixel } from "./stepWalk.js";

/** The values in memory that the figure lists. */
export type MemoryKey = keyof ReturnType<typeof memoryEntries>;

function code(wgsl: CodePair["wgsl"], reference: NonNullable<CodePair["reference"]>, line: string) {
  return { wgsl, reference, line };
}

/** The loop that undoes each blob and then computes its adjoints. */
const backwardCode = ["tiled/fineRasterize.wgsl#fineRasterizeBackward", "model/rasterize.ts#differentiate"] as const;

/** The code of each stage of a step, in order, and the active line of the stage. */
export const walkCode = {
  Clear: code("shared/clearDerivatives.wgsl#main", "model/rasterize.ts#differentiate", "code:clear.store"),
  Gather: code("tiled/coarseRasterize.wgsl#coarseRasterize", "model/shortList.ts#coarseRasterize", "code:gather.store"),
  Pad: code("tiled/padBuffer.wgsl#padBuffer", "model/shortList.ts#padBuffer", "code:pad.store"),
  Sort: code("tiled/bitonicSort.wgsl#bitonicSort", "model/shortList.ts#bitonicSort", "code:sort.compare"),
  Blend: code("tiled/fineRasterize.wgsl#fineRasterize", "model/rasterize.ts#fineRasterize", "code:blend.eval"),
  Loss: code("shared/loss.wgsl#lossBackward", "model/blend.ts#lossBackward", "code:loss.error"),
  Undo: code(...backwardCode, "code:undo.before"),
  Adjoint: code(...backwardCode, "code:undo.parameters"),
  Reduce: code("shared/accumulate.wgsl#treeReduce", "model/accumulate.ts#treeReduce", "code:reduce.add"),
  Accumulate: code("shared/accumulate.wgsl#atomicAccumulate", "model/rasterize.ts#accumulate", "code:swap.swap"),
  Adam: code("shared/adam.wgsl#adam", "model/adam.ts#updateBlobs", "code:adam.parameter"),
  Render: code("tiled/imageMain.wgsl#main", "model/rasterize.ts#draw", "code:draw.store"),
};

/** The names of the stages, in the order of a step. */
export const stageNames = Object.keys(walkCode) as (keyof typeof walkCode)[];

/** What can be drawn of the pixels of the tile: a title and the value of a pixel. */
export const shownPixels = {
  target: ["Target colours", ({ target }) => target],
  blended: ["C, over black", ({ state }) => [state.red, state.green, state.blue]],
  color: ["Rendered colours", ({ color }) => color],
  error: ["Squared error of each pixel", ({ squaredError }) => squaredError],
  contribution: ["Gradient of the parameter at each pixel", ({ contribution }) => contribution],
  next: ["Rendered colours after the step", ({ next }) => next],
} satisfies Record<string, [title: string, of: (pixel: WalkedPixel) => readonly number[] | number]>;

/** Returns the values in memory in the order of the stages: label, memory, and value before the step. */
export function memoryEntries(walk: StepWalk) {
  const { before, pixel, config } = walk;
  const raw = rawNames(config.parameterization)[walk.field];
  const pixelText = `pixel (${pixel.x}, ${pixel.y})`;
  const slot = `${raw} of blob ${count(walk.blob)}`;
  const empty = "nothing yet";
  return {
    slot: [`gradient of ${slot}`, "storage", "the sum of the step before"],
    list: [`tile list of tile ${count(walk.tile)}`, "workgroup", empty],
    state: [`C, T, blobs applied at ${pixelText}`, "thread", empty],
    error: ["its colour and squared error", "thread", empty],
    d: ["its adjoints C̄ and T̄ behind the last blob", "thread", empty],
    contribution: [`its contribution to the gradient of ${raw}`, "thread", empty],
    sum: ["sum over the tile’s threads", "workgroup", empty],
    parameter: [slot, "storage", numberText(before.parameter, 7)],
    first: ["its first moment m", "storage", numberText(before.first, 5)],
    second: ["its second moment v", "storage", numberText(before.second, 5)],
    image: [`colour of ${pixelText} on the screen`, "storage", `(${colorText(pixel.color)})`],
  } satisfies Record<string, [label: string, memory: string, before: string]>;
}

/** A stage: what it does, the values that it writes, and what is drawn of the pixels. */
interface WalkStage {
  /** computeDerivatives by default. */
  kernel?: string;
  /** Its chapter in src/learn/; none if that is this page. */
  chapter?: string;
  description: string;
  writes: Partial<Record<MemoryKey, string>>;
  shows: keyof typeof shownPixels;
}

/** Returns the stages of a step in order. */
export function walkStages(walk: StepWalk) {
  const { config, pixels, gathered, padded, sorted, blobCount, listed, passes, before, after } = walk;
  const { state, color, squaredError, d, contribution, target, next } = walk.pixel;
  const raw = rawNames(config.parameterization)[walk.field];
  const freeSlots = listCapacity(config) - blobCount;
  const passesNote =
    passes > 1
      ? ` The list does not hold all ${listed.length} blobs of this tile, so this is the first of ${passes} passes.`
      : "";
  const rounds = Math.ceil(Math.log2(walk.size[0] * walk.size[1]));
  const stages: WalkStage[] = [
    {
      kernel: "clearDerivatives",
      description: `Every gradient is set to zero: ${counted(9 * config.blobs, "float")}, one thread each. The rest of the step only adds.`,
      writes: { slot: "0" },
      shows: "target",
    },
    {
      chapter: "tiles",
      description: `The tile’s ${pixels.length} threads divide all ${counted(config.blobs, "blob")} among themselves, and append each blob with a box that meets the tile: ${blobCount}.${passesNote} Here the threads run in lockstep; on a GPU the order is arbitrary.`,
      writes: { list: listText(gathered) },
      shows: "target",
    },
    {
      chapter: "sorting",
      description: `The list has ${count(listCapacity(config))} places, and the sorting network needs a number in each: the other ${freeSlots} get the largest one, the sentinel.`,
      writes: { list: `${listText(padded.subarray(0, blobCount))}; then ${freeSlots} sentinels` },
      shows: "target",
    },
    {
      chapter: "sorting",
      description:
        "The indices are sorted in ascending order. The index is the depth, so the list now runs from front to back.",
      writes: { list: `${listText(sorted.subarray(0, blobCount))}; then ${freeSlots} sentinels` },
      shows: "target",
    },
    {
      chapter: "blending",
      description: `Each thread blends the list into its own pixel. This one has ${listed.length} blobs and applied ${state.finalCount}, most of them too far away to contribute; the transmittance is ${numberText(state.transmittance, 3)}.`,
      writes: {
        state: `C (${colorText([state.red, state.green, state.blue])}), T ${numberText(state.transmittance, 4)}, ${state.finalCount}`,
      },
      shows: "blended",
    },
    {
      description: `C and T give the colour of the pixel. The target is (${colorText(target)}); the squared errors of the tile add up to ${numberText(walk.squaredError, 4)}. The error gives the first adjoint of the backward pass.`,
      writes: {
        error: `(${colorText(color)}), ${numberText(squaredError, 4)}`,
        d: [d.red, d.green, d.blue, d.transmittance].map((value) => numberText(value, 3)).join(", "),
      },
      shows: "error",
    },
    {
      chapter: "undo",
      description:
        "From the last blob to the first, each blend is undone. Before the first blob, C is 0 and T is 1 again.",
      writes: { state: "C (0, 0, 0), T 1, 0" },
      shows: "blended",
    },
    {
      chapter: "gradients",
      description: `After each undo come the adjoints of the blend, the falloff and the decoding. For blob ${count(walk.blob)} this gives the contribution of the pixel.`,
      writes: { contribution: numberText(contribution, 5) },
      shows: "contribution",
    },
    {
      chapter: "reduction",
      description: `The ${pixels.length} contributions of this tile are summed in ${rounds} rounds of additions in float32. In float64 the sum would be ${numberText(walk.exact, 7)}.`,
      writes: { sum: numberText(walk.reduced, 7) },
      shows: "contribution",
    },
    {
      chapter: "reduction",
      description: `Thread 0 adds the sum to the gradient of ${raw} in storage, by compare-and-swap, since other tiles add to it as well. This tile adds ${numberText(walk.reduced, 4)}; after all tiles, the gradient is complete.`,
      writes: { slot: numberText(walk.gradient, 7) },
      shows: "contribution",
    },
    {
      kernel: "updateBlobs",
      chapter: "adam",
      description: `One thread per parameter: the gradient updates the moments, and the parameter moves by ${numberText(after.parameter - before.parameter, 3)}, with a learning rate of ${numberText(walk.rate, 3)}.`,
      writes: {
        parameter: numberText(after.parameter, 7),
        first: numberText(after.first, 5),
        second: numberText(after.second, 5),
      },
      shows: "color",
    },
    {
      kernel: "imageMain",
      chapter: "blending",
      description:
        "For display, another forward pass with the new parameters, at any size. The next step does not need it.",
      writes: { image: `(${colorText(next)})` },
      shows: "next",
    },
  ];
  return stages.map((stage, k) => ({ name: stageNames[k], ...stage }));
}

const maxShown = 9;

function listText(blobs: Uint32Array): string {
  if (blobs.length === 0) return "no blob";
  const shown = [...blobs.subarray(0, maxShown)].join(", ");
  return `${counted(blobs.length, "blob")}: ${shown}${blobs.length > maxShown ? ", …" : ""}`;
}
