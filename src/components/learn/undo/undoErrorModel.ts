import { type BlobValues, evalBackward, valueNames } from "../../../engine/cpu/blob.js";
import { tileArea } from "../../../engine/cpu/uv.js";
import { evenChoice } from "../../../engine/evenChoice.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/pipeline.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { Scene } from "../../lab/scene.js";
import { type TileList, tileList } from "../../lab/tileList.js";
import { blendSteps, newPixelState, type PixelStack, pixelStack } from "../blending/pixelStack.js";
import { type PixelGradient, type UndoWalk, undoWalk } from "./undoModel.js";

/** How far a pixel's undone states, in float32, are from the same states as they were kept. */
export interface UndoError {
  x: number;
  y: number;
  /** Blobs undone whose α is above 0. */
  blobs: number;
  /** How many of them have another α on the way back, by its bits. */
  otherAlphas: number;
  /** The largest |undone − kept| of T over the pixel's states, and as a share of T. */
  transmittance: number;
  relative: number;
  /** The same of C, in the channel where it is largest. */
  color: number;
  /** |gradient by undoing − gradient by the kept states| as a share of the latter, over the blobs' raw parameters. */
  gradient: number;
  /** |float32 − float64| of T after the last blob: what rounding does to the way forward. */
  forwardTransmittance: number;
  forwardColor: number;
}

/** Pixels that are measured at most; of a larger picture, whole tiles that are evenly apart. */
export const mostPixels = 16_384;

/** The lists of the tiles that are measured, some blobs at a time. */
export function* measuredTiles(scene: Scene): Generator<void, TileList[]> {
  const { size, across, down } = scene.look.tiles;
  const lists: TileList[] = [];
  for (const tile of evenChoice(across * down, Math.ceil(mostPixels / (size[0] * size[1])))) {
    lists.push(yield* tileList(scene, tile));
  }
  return lists;
}

/** Measures by the twin, which rounds each state to float32 as it is stored; a pixel at a time. */
export function* errorsByTwin(scene: Scene, lists: readonly TileList[]): Generator<void, UndoError[]> {
  const errors: UndoError[] = [];
  for (const list of lists) {
    for (const { x, y } of pixelsOf(scene, list)) {
      const stack = pixelStack(scene, list, x, y);
      const walk = undoWalk(stack, scene.config, scene.target, "float32");
      errors.push({ x, y, ...compare(stack, walk), ...forwardError(scene, stack, walk.end) });
      yield;
    }
  }
  return errors;
}

/** What a pixel ends in. */
interface End {
  red: number;
  green: number;
  blue: number;
  transmittance: number;
}

function forwardError({ config }: Scene, stack: PixelStack, end: End) {
  const exact = blendSteps(stack.blobs, config.blend).at(-1)?.after ?? newPixelState();
  return {
    forwardTransmittance: Math.abs(end.transmittance - exact.transmittance),
    forwardColor: Math.max(...channels.map((channel) => Math.abs(end[channel] - exact[channel]))),
  };
}

const channels = ["red", "green", "blue"] as const;

function compare({ u, v }: PixelStack, { backward }: UndoWalk) {
  const error = { blobs: 0, otherAlphas: 0, transmittance: 0, relative: 0, color: 0, gradient: 0 };
  let [apart, all] = [0, 0];
  for (const { blend, undone, byKeeping, byUndoing } of backward) {
    const { before, falloff } = blend;
    const gap = Math.abs(undone.transmittance - before.transmittance);
    error.transmittance = Math.max(error.transmittance, gap);
    error.relative = Math.max(error.relative, gap / before.transmittance);
    for (const channel of channels) error.color = Math.max(error.color, Math.abs(undone[channel] - before[channel]));
    if (falloff === 0) continue;
    error.blobs++;
    const raw = ({ dAlpha, dColor: [red, green, blue] }: PixelGradient) => {
      const gradient = { ...blend.blob, red, green, blue } as BlobValues;
      evalBackward(blend.blob, u, v, falloff, dAlpha, gradient);
      return valueNames.map((name) => gradient[name] * blend.blob.slope[name]);
    };
    const cached = raw(byKeeping);
    for (const [i, value] of raw(byUndoing).entries()) {
      apart += (value - cached[i]) ** 2;
      all += cached[i] ** 2;
    }
  }
  if (all > 0) error.gradient = Math.sqrt(apart / all);
  return error;
}

function pixelsOf(scene: Scene, { tile }: TileList): { x: number; y: number }[] {
  const { left, right, top, bottom } = tileArea(tile, scene.look.tiles.across, scene.look.tiles.size, scene.target);
  const pixels: { x: number; y: number }[] = [];
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) pixels.push({ x, y });
  return pixels;
}

/** Words of the struct UndoError of shaders/learn/undoError.wgsl. */
const errorWords = 16;
/** Of kept states in one dispatch. */
const mostBytes = 2 ** 25;

/**
 * Measures by the kernels' own functions, on a GPU.
 * @param carryOut does what is left for the CPU, a pixel at a time
 */
export async function errorsByKernel(
  gpu: Gpu,
  scene: Scene,
  lists: readonly TileList[],
  carryOut: (work: Generator<void, UndoError[]>) => Promise<UndoError[]>,
): Promise<UndoError[]> {
  const errors: UndoError[] = [];
  for (const batch of batchesOf(scene, lists)) {
    for (const error of await carryOut(errorsOf(scene, batch, await measure(gpu, scene, batch)))) errors.push(error);
  }
  return errors;
}

/** Lists whose tiles' kept states fit into one buffer; a list that is too long by itself is a batch by itself. */
function* batchesOf(scene: Scene, lists: readonly TileList[]): Generator<TileList[]> {
  let batch: TileList[] = [];
  let bytes = 0;
  for (const list of lists) {
    const own = keptBytes(scene, list);
    if (batch.length > 0 && bytes + own > mostBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(list);
    bytes += own;
  }
  if (batch.length > 0) yield batch;
}

function keptBytes({ look }: Scene, { length }: TileList): number {
  return 16 * length * look.tiles.size[0] * look.tiles.size[1];
}

async function measure(gpu: Gpu, scene: Scene, lists: TileList[]): Promise<ArrayBuffer> {
  const { config, target: image, look } = scene;
  const [TILE_WIDTH, TILE_HEIGHT] = look.tiles.size;
  const threads = TILE_WIDTH * TILE_HEIGHT;
  const { width, height } = image;
  const tiles = new Uint32Array(4 * lists.length);
  const listed: number[] = [];
  let states = 0;
  for (const [i, { tile, passes, length }] of lists.entries()) {
    tiles.set([tile, listed.length, length, states], 4 * i);
    for (const pass of passes) for (const blob of pass) listed.push(blob);
    states += threads * length;
  }
  const share = { size: { width, height }, first: 0, end: lists.length, step: 1 };
  const left = await runKernel(gpu, {
    file: "learn/undoError.wgsl",
    constants: { ...modelConstants(config), TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      0: { type: "uniform", contents: jobUniform(config, image) },
      1: { type: "uniform", contents: dispatchUniform([share], config) },
      2: { type: "read-only-storage", contents: look.state.parameters },
      5: { type: "read-only-storage", contents: image.data },
      10: { type: "read-only-storage", contents: tiles },
      11: { type: "read-only-storage", contents: Uint32Array.from(listed) },
      12: { type: "storage", contents: 16 * states },
      13: { type: "storage", contents: 4 * states },
      14: { type: "storage", contents: 4 * errorWords * threads * lists.length },
    },
    workgroups: lists.length,
  });
  return left[14];
}

function* errorsOf(scene: Scene, lists: TileList[], measured: ArrayBuffer): Generator<void, UndoError[]> {
  const floats = new Float32Array(measured);
  const words = new Uint32Array(measured);
  const [tileWidth, tileHeight] = scene.look.tiles.size;
  const errors: UndoError[] = [];
  for (const [i, list] of lists.entries()) {
    for (const { x, y } of pixelsOf(scene, list)) {
      const thread = (y % tileHeight) * tileWidth + (x % tileWidth);
      const at = errorWords * (tileWidth * tileHeight * i + thread);
      const [red, green, blue, transmittance] = floats.subarray(at, at + 4);
      const [T, relative, color, gradient] = floats.subarray(at + 8, at + 12);
      const [blobs, otherAlphas] = words.subarray(at + 12, at + 14);
      const stack = pixelStack(scene, list, x, y);
      const forward = forwardError(scene, stack, { red, green, blue, transmittance });
      errors.push({ x, y, blobs, otherAlphas, transmittance: T, relative, color, gradient, ...forward });
      yield;
    }
  }
  return errors;
}
