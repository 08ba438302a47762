import { evenlySpacedIndices } from "../../../engine/evenlySpaced.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { PixelState } from "../../../engine/model/blend.js";
import { type BlobValues, evalBackward, valueNames } from "../../../engine/model/blob.js";
import { tileArea } from "../../../engine/model/uv.js";
import type { Scene } from "../../lab/scene.js";
import { type TileList, tileList } from "../../lab/tileList.js";
import { largestDifference } from "../largest.js";
import { blendSteps, colorOf, newPixelState, type PixelStack, pixelStack } from "../pixelStack.js";
import { type PixelGradient, undoWalk } from "./undoModel.js";

/** The largest relative error of one float32 rounding. */
export const rounding = 2 ** -24;

/** Differences between the undone float32 states of a pixel and the cached ones. */
const zeroUndoError = {
  /** Undone blobs with α above 0, and how many of them have a different α in the backward pass, by its bits. */
  blobs: 0,
  otherAlphas: 0,
  /** The largest |undone − cached| of T over the pixel's states, absolute and relative to T. */
  transmittance: 0,
  relative: 0,
  /** The same for C, in the channel where it is largest. */
  color: 0,
  /** |gradient from undone states − gradient from cached states| relative to the latter, over the blobs' raw parameters. */
  gradient: 0,
};

/** Errors of a pixel; those of the forward pass are |float32 − float64| after the last blob. */
export type UndoError = typeof zeroUndoError & Record<"x" | "y" | "forwardTransmittance" | "forwardColor", number>;

/** Errors of a pixel, and its state after the last blob. */
type Measurement = typeof zeroUndoError & { end: Omit<PixelState, "finalCount"> };

/** Runs a generator that yields after each pixel. */
export type RunWork = <T>(work: Generator<void, T>) => Promise<T>;

/** Pixels that are measured at most; in a larger image, evenly spaced tiles. */
const maxPixels = 16_384;

/** Measures every pixel of a scene with the functions of the kernels, or without a GPU with the CPU reference. */
export async function undoErrors(gpu: Gpu | undefined, scene: Scene, runWork: RunWork): Promise<UndoError[]> {
  const lists = await runWork(measuredTiles(scene));
  if (!gpu) return runWork(errorsOf(scene, lists, measureByReference));
  const errors: UndoError[] = [];
  for (const batch of batchesOf(scene, lists)) {
    const measured = await measureByKernel(gpu, scene, batch);
    for (const error of await runWork(errorsOf(scene, batch, measured))) errors.push(error);
  }
  return errors;
}

function* measuredTiles(scene: Scene): Generator<void, TileList[]> {
  const { size, across, down } = scene.inspection.tiles;
  const lists: TileList[] = [];
  for (const tile of evenlySpacedIndices(across * down, Math.ceil(maxPixels / (size[0] * size[1])))) {
    lists.push(yield* tileList(scene, tile));
  }
  return lists;
}

/** @param measure called with a pixel and the index of its tile's list */
function* errorsOf(
  scene: Scene,
  lists: readonly TileList[],
  measure: (stack: PixelStack, index: number) => Measurement,
): Generator<void, UndoError[]> {
  const { config, target, inspection: snapshot } = scene;
  const errors: UndoError[] = [];
  for (const [index, list] of lists.entries()) {
    const { left, right, top, bottom } = tileArea(list.tile, snapshot.tiles.across, snapshot.tiles.size, target);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const stack = pixelStack(scene, list, x, y);
        const { end, ...undone } = measure(stack, index);
        const exact = blendSteps(stack.blobs, config.blend).at(-1)?.after ?? newPixelState();
        const forwardTransmittance = Math.abs(end.transmittance - exact.transmittance);
        errors.push({
          x,
          y,
          ...undone,
          forwardTransmittance,
          forwardColor: largestDifference(colorOf(end), colorOf(exact)),
        });
        yield;
      }
    }
  }
  return errors;
}

/** Measures a pixel with the CPU reference, which rounds each state to float32 when it is stored. */
function measureByReference(stack: PixelStack): Measurement {
  const error = { ...zeroUndoError };
  const { backward, end } = undoWalk(stack, "float32");
  let [squaredDifferences, squaredSum] = [0, 0];
  for (const { blend, undone, fromCached, fromUndone } of backward) {
    const { before, falloff, blob } = blend;
    const difference = Math.abs(undone.transmittance - before.transmittance);
    error.transmittance = Math.max(error.transmittance, difference);
    error.relative = Math.max(error.relative, difference / before.transmittance);
    error.color = Math.max(error.color, largestDifference(colorOf(undone), colorOf(before)));
    if (falloff === 0) continue;
    error.blobs++;
    const raw = ({ dAlpha, dColor: [red, green, blue] }: PixelGradient) => {
      const gradient = { ...blob, red, green, blue } as BlobValues;
      evalBackward(blob, stack.u, stack.v, falloff, dAlpha, gradient);
      return valueNames.map((name) => gradient[name] * blob.slope[name]);
    };
    const cachedGradient = raw(fromCached);
    for (const [i, value] of raw(fromUndone).entries()) {
      squaredDifferences += (value - cachedGradient[i]) ** 2;
      squaredSum += cachedGradient[i] ** 2;
    }
  }
  if (squaredSum > 0) error.gradient = Math.sqrt(squaredDifferences / squaredSum);
  return { ...error, end };
}

/** Bytes of cached states in one dispatch, at most. */
const maxBytes = 2 ** 25;

/** Yields batches of lists with cached states that fit into one buffer; a list that does not fit is a batch of its own. */
function* batchesOf({ inspection: snapshot }: Scene, lists: readonly TileList[]): Generator<TileList[]> {
  let batch: TileList[] = [];
  let bytes = 0;
  for (const list of lists) {
    const listBytes = 16 * list.length * snapshot.tiles.size[0] * snapshot.tiles.size[1];
    if (batch.length > 0 && bytes + listBytes > maxBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(list);
    bytes += listBytes;
  }
  if (batch.length > 0) yield batch;
}

/** Measures the tiles of lists with the functions of the kernels: a workgroup per tile, a thread per pixel. */
async function measureByKernel(gpu: Gpu, scene: Scene, lists: TileList[]) {
  const { config, target: image, inspection: snapshot } = scene;
  const [TILE_WIDTH, TILE_HEIGHT] = snapshot.tiles.size;
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
  const range = { size: { width, height }, first: 0, end: lists.length, step: 1 };
  const error = gpu.struct("UndoError");
  const results = await runKernel(gpu, {
    file: "learn/undoError.wgsl",
    constants: { ...modelConstants(config), TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      job: jobUniform(gpu.shaders, config, image),
      dispatch: dispatchUniform(gpu.shaders, [range], config),
      parameters: snapshot.state.parameters,
      targetImage: image.data,
      tiles,
      listed: Uint32Array.from(listed),
      states: 16 * states,
      alphas: 4 * states,
      errors: error.bytes * threads * lists.length,
    },
    workgroups: lists.length,
  });
  const floats = new Float32Array(results.errors);
  const words = new Uint32Array(results.errors);
  return ({ x, y }: PixelStack, index: number): Measurement => {
    const first = error.words * (threads * index + (y % TILE_HEIGHT) * TILE_WIDTH + (x % TILE_WIDTH));
    const at = (member: string) => first + error.at(member);
    const [red, green, blue, finalTransmittance] = floats.subarray(at("end"), at("end") + 4);
    return {
      blobs: words[at("blobs")],
      otherAlphas: words[at("otherAlphas")],
      transmittance: floats[at("transmittance")],
      relative: floats[at("relative")],
      color: floats[at("color")],
      gradient: floats[at("gradient")],
      end: { red, green, blue, transmittance: finalTransmittance },
    };
  };
}
