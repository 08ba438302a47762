import { rawNames } from "../../../engine/blobs.js";
import type { TrainConfig } from "../../../engine/config.js";
import { sentinel } from "../../../engine/cpu/shortList.js";
import { count, counted } from "../../format.js";
import type { CodePairing } from "../codePair.js";
import { numberText } from "../numberText.js";
import type { StepWalk, WalkedPixel } from "./stepWalk.js";

/** A place in memory that the walk watches. */
export interface Place {
  name: string;
  /** Where it lives. */
  where: string;
}

/** A stage of the step: what it changes, where its code is, and how the tile's pixels are shown at it. */
export interface WalkStage {
  name: string;
  kernel: string;
  /** The chapter about it, in src/learn/; none for what belongs to this page. */
  chapter?: string;
  words: string;
  /** What it leaves in the places that it writes, by their key. */
  writes: Partial<Record<PlaceKey, string>>;
  /** What of a pixel is drawn, and what that is called. */
  shows: keyof typeof shownPixels;
  code: Pick<CodePairing, "wgsl" | "twin">;
  /** A line of each that does the work. */
  line: { wgsl?: string; twin?: string };
}

type PlaceKey =
  | "list"
  | "state"
  | "error"
  | "d"
  | "part"
  | "sum"
  | "slot"
  | "parameter"
  | "first"
  | "second"
  | "picture";

/** How a pixel of the tile is drawn at a stage. */
export const shownPixels = {
  target: { title: "The colours that are wanted", of: ({ target }: WalkedPixel) => target },
  blended: { title: "C, over black", of: ({ state }: WalkedPixel) => [state.red, state.green, state.blue] },
  color: { title: "The colours that are seen", of: ({ color }: WalkedPixel) => color },
  error: { title: "The squared error of each pixel", of: ({ squaredError }: WalkedPixel) => squaredError },
  part: { title: "Each pixel’s gradient of the parameter", of: ({ part }: WalkedPixel) => part },
  next: { title: "The colours after the step", of: ({ next }: WalkedPixel) => next },
} satisfies Record<string, { title: string; of: (pixel: WalkedPixel) => readonly number[] | number }>;

/** The places, in the order in which a step comes by. */
export function placesOf(walk: StepWalk, { parameterization }: TrainConfig): Record<PlaceKey, Place> {
  const raw = rawNames(parameterization)[walk.field];
  const { x, y } = walk.pixels[walk.pixel];
  const slot = `${raw} of blob ${count(walk.blob)}`;
  return {
    slot: { name: `gradient of ${slot}`, where: "storage" },
    list: { name: `short-list of tile ${count(walk.tile)}`, where: "workgroup" },
    state: { name: `C, T, blobs applied at pixel (${x}, ${y})`, where: "thread" },
    error: { name: "its colour and squared error", where: "thread" },
    d: { name: "its dL/d(C, T) behind the last blob", where: "thread" },
    part: { name: `its part of the gradient of ${raw}`, where: "thread" },
    sum: { name: "sum over the tile’s threads", where: "workgroup" },
    parameter: { name: slot, where: "storage" },
    first: { name: "its first moment m", where: "storage" },
    second: { name: "its second moment v", where: "storage" },
    picture: { name: `colour of pixel (${x}, ${y}) on the screen`, where: "storage" },
  };
}

/** What is in the places before the step. */
export function contentsBefore(walk: StepWalk): Record<PlaceKey, string> {
  const { before, pixels, pixel } = walk;
  return {
    slot: "the sum of the step before",
    list: "nothing yet",
    state: "nothing yet",
    error: "nothing yet",
    d: "nothing yet",
    part: "nothing yet",
    sum: "nothing yet",
    parameter: numberText(before.parameter, 7),
    first: numberText(before.first, 5),
    second: numberText(before.second, 5),
    picture: colorText(pixels[pixel].color),
  };
}

/** The stages of a step, in their order. */
export function walkStages(walk: StepWalk, config: TrainConfig): WalkStage[] {
  const { pixels, pixel, gathered, padded, sorted, blobCount, passes, before, after } = walk;
  const { state, color, squaredError, d, part, target, next } = pixels[pixel];
  const raw = rawNames(config.parameterization)[walk.field];
  const cap = config.gaussiansPerBlock;
  const severalPasses =
    passes > 1
      ? ` The list does not hold all ${walk.listed.length} blobs of this tile, so this is the first of ${passes} passes.`
      : "";
  return [
    {
      name: "Clear",
      kernel: "clearDerivatives",
      words: `Every gradient is set to zero: ${counted(9 * config.blobs, "float")}, a thread each. What follows only ever adds.`,
      writes: { slot: "0" },
      shows: "target",
      code: {
        wgsl: { file: "shared/clearDerivatives.wgsl", from: "fn main(" },
        twin: { file: "cpu/pipeline.ts", from: "#beginSum(): Sum {" },
      },
      line: { wgsl: "gradients[slot] = 0.0", twin: "return new Sum(lists" },
    },
    {
      name: "Gather",
      kernel: "computeDerivatives",
      chapter: "tiles",
      words: `The tile’s ${pixels.length} threads share all ${counted(config.blobs, "blob")} among them, and append each whose box meets the tile: ${blobCount}.${severalPasses} Here the threads run in step; on a GPU they append in the order in which they come.`,
      writes: { list: listText(gathered) },
      shows: "target",
      code: {
        wgsl: { file: "tiled/coarseRasterize.wgsl", from: "fn coarseRasterize(" },
        twin: { file: "cpu/shortList.ts", from: "export function coarseRasterize(" },
      },
      line: { wgsl: "sh_blobs[slot] = i;", twin: "list.blobs[list.blobCount] = i" },
    },
    {
      name: "Pad",
      kernel: "computeDerivatives",
      chapter: "sorting",
      words: `The list has room for ${count(cap)}, and the sorting network needs them all: the other ${cap - blobCount} places take the largest number there is.`,
      writes: { list: `${listText(gathered)}; then ${padded.filter((blob) => blob === sentinel).length} sentinels` },
      shows: "target",
      code: {
        wgsl: { file: "tiled/padBuffer.wgsl", from: "fn padBuffer" },
        twin: { file: "cpu/shortList.ts", from: "export function padBuffer" },
      },
      line: { wgsl: "sh_blobs[i] = SENTINEL", twin: "list.blobs.fill(sentinel" },
    },
    {
      name: "Sort",
      kernel: "computeDerivatives",
      chapter: "sorting",
      words:
        "The indices go into ascending order. The index is the depth, so the list now runs from front to back, whatever order the threads came in.",
      writes: { list: `${listText(sorted.subarray(0, blobCount))}; then ${cap - blobCount} sentinels` },
      shows: "target",
      code: {
        wgsl: { file: "tiled/bitonicSort.wgsl", from: "fn bitonicSort" },
        twin: { file: "cpu/shortList.ts", from: "export function bitonicSort" },
      },
      line: { wgsl: "if ((low > high) == ascending && low != high)", twin: "if (swapped) [blobs[i], blobs[l]]" },
    },
    {
      name: "Blend",
      kernel: "computeDerivatives",
      chapter: "blending",
      words: `Each thread blends the list into its own pixel. This one was offered ${walk.listed.length} blobs and applied ${state.finalCount}, most of which lie too far away to add anything; a share of ${numberText(state.transmittance, 3)} of the light is left.`,
      writes: {
        state: `C ${colorText([state.red, state.green, state.blue])}, T ${numberText(state.transmittance, 4)}, ${state.finalCount}`,
      },
      shows: "blended",
      code: {
        wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterize(" },
        twin: { file: "cpu/rasterize.ts", from: "function fineRasterize(" },
      },
      line: {
        wgsl: "state = transformPixelState(state, eval(loadBlob",
        twin: "if (!transformPixelState(state, blobs[index]",
      },
    },
    {
      name: "Compare",
      kernel: "computeDerivatives",
      words: `C and T become the colour that is seen. Wanted is ${colorText(target)}; the tile’s squared errors add up to ${numberText(walk.squaredError, 4)}. From the error comes the first gradient of the way back.`,
      writes: {
        error: `${colorText(color)}, ${numberText(squaredError, 4)}`,
        d: [d.red, d.green, d.blue, d.transmittance].map((value) => numberText(value, 3)).join(", "),
      },
      shows: "error",
      code: {
        wgsl: { file: "shared/loss.wgsl", from: "fn lossBackward" },
        twin: { file: "cpu/blend.ts", from: "export function lossBackward(" },
      },
      line: { wgsl: "let error = composite(pixel) - wanted", twin: "const errorRed = compositeChannel" },
    },
    {
      name: "Backward",
      kernel: "computeDerivatives",
      chapter: "undo",
      words: `From the last blob to the first: undo, take the gradient back through the blend, then through the falloff and the decoding. When blob ${count(walk.blob)} has its turn, this pixel’s part is there.`,
      writes: { state: "C (0, 0, 0), T 1, 0", part: numberText(part, 5) },
      shows: "part",
      code: {
        wgsl: { file: "tiled/fineRasterize.wgsl", from: "fn fineRasterizeBackward(" },
        twin: { file: "cpu/rasterize.ts", from: "export function differentiate(" },
      },
      line: {
        wgsl: "d = decodeBackward(raw, evalBackward",
        twin: "evalBackward(blob, u, v, falloff, dAlpha, gradient)",
      },
    },
    {
      name: "Reduce",
      kernel: "computeDerivatives",
      chapter: "gradients",
      words: `The ${pixels.length} parts of this tile become one number, in ${Math.ceil(Math.log2(walk.size[0] * walk.size[1]))} rounds of additions in float32. Added in float64 they would be ${numberText(walk.exact, 7)}.`,
      writes: { sum: numberText(walk.reduced, 7) },
      shows: "part",
      code: {
        wgsl: { file: "shared/accumulate.wgsl", from: "fn treeReduce" },
        twin: { file: "cpu/accumulate.ts", from: "export function treeReduce" },
      },
      line: {
        wgsl: "sh_reduction[localIndex] += sh_reduction[localIndex + stride]",
        twin: "values[i] += values[i + stride]",
      },
    },
    {
      name: "Accumulate",
      kernel: "computeDerivatives",
      chapter: "gradients",
      words: `Thread 0 adds the sum to the slot of ${raw}, by compare-and-swap, since other tiles add to it as well. This tile brings ${numberText(walk.reduced, 4)}; when all have, the run’s gradient stands there.`,
      writes: { slot: numberText(walk.gradient, 7) },
      shows: "part",
      code: {
        wgsl: { file: "shared/accumulate.wgsl", from: "fn atomicAccumulate" },
        twin: { file: "cpu/rasterize.ts", from: "function accumulate(" },
      },
      line: { wgsl: "let swap = atomicCompareExchangeWeak" },
    },
    {
      name: "Adam",
      kernel: "updateBlobs",
      chapter: "adam",
      words: `A thread for each parameter: the moments take the gradient in, and the parameter moves by ${numberText(after.parameter - before.parameter, 3)}, with a learning rate of ${numberText(walk.rate, 3)}.`,
      writes: {
        parameter: numberText(after.parameter, 7),
        first: numberText(after.first, 5),
        second: numberText(after.second, 5),
      },
      shows: "color",
      code: {
        wgsl: { file: "shared/adam.wgsl", from: "fn adam(" },
        twin: { file: "cpu/adam.ts", from: "export function updateBlobs(" },
      },
      line: { wgsl: "return AdamState(state.parameter - step", twin: "parameters[slot] -=" },
    },
    {
      name: "Render",
      kernel: "imageMain",
      chapter: "blending",
      words:
        "The forward way once more, with the parameters as they are now, at any size that one wants to look at. Nothing of it is needed for the next step.",
      writes: { picture: colorText(next) },
      shows: "next",
      code: {
        wgsl: { file: "tiled/imageMain.wgsl", from: "fn main(" },
        twin: { file: "cpu/rasterize.ts", from: "export function draw(" },
      },
      line: { wgsl: "picture[place.pixel.y", twin: "pixels.push(transmittance)" },
    },
  ];
}

/** Indices that are told. */
const most = 9;

function listText(blobs: Uint32Array): string {
  if (blobs.length === 0) return "no blob";
  const shown = [...blobs.subarray(0, most)].join(", ");
  return `${counted(blobs.length, "blob")}: ${shown}${blobs.length > most ? ", …" : ""}`;
}

function colorText(color: readonly number[]): string {
  return `(${color.map((channel) => numberText(channel, 3)).join(", ")})`;
}
