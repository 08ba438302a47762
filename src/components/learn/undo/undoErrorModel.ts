import { evenlySpacedIndices } from "../../../engine/evenlySpaced.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { PixelState } from "../../../engine/model/blend.js";
import { type BlobValues, evalBackward, valueNames } from "../../../engine/model/blob.js";
import { tileArea } from "../../../engine/model/uv.js";
import type { Scene } from "../../lab/scene.js";
import { type TileList, tileList } from "../../lab/tileList.js";
import { blendSteps, colorOf, newPixelState, type PixelStack, pixelStack } from "../blending/pixelStack.js";
import { type PixelGradient, undoWalk } from "./undoModel.js";

/** Of one float32 rounding, relative to the number that is rounded. */
export const rounding = 2 ** -24;

/** How far a pixel's undone states, in float32, are from the same states as they were kept. */
const zeroUndoError = {
  /** Blobs undone whose α is above 0, and how many of them have another α on the way back, by its bits. */
  blobs: 0,
  otherAlphas: 0,
  /** The largest |undone − kept| of T over the pixel's states, and as a share of T. */
  transmittance: 0,
  relative: 0,
  /** The same of C, in the channel where it is largest. */
  color: 0,
  /** |gradient by undoing − gradient by the kept states| as a share of the latter, over the blobs' raw parameters. */
  gradient: 0,
};

/** A pixel's errors; those of the way forward are |float32 − float64| after the last blob. */
export type UndoError = typeof zeroUndoError & Record<"x" | "y" | "forwardTransmittance" | "forwardColor", number>;

/** What was undone of a pixel, and what it ended in. */
type Measurement = typeof zeroUndoError & { end: Omit<PixelState, "finalCount"> };

/** Carries work out that goes a pixel at a time. */
export type RunWork = <T>(work: Generator<void, T>) => Promise<T>;

/** Pixels that are measured at most; of a larger picture, whole tiles that are evenly apart. */
const maxPixels = 16_384;

/** Every pixel of a scene forward and back: by the kernels' own functions, or without a GPU by the twin's. */
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

/** @param measure told a pixel, and the place of its tile's list */
function* errorsOf(
  scene: Scene,
  lists: readonly TileList[],
  measure: (stack: PixelStack, index: number) => Measurement,
): Generator<void, UndoError[]> {
  const { config, target, inspection: snapshot } = scene;
  const errors: UndoError[] = [];
  for (const [place, list] of lists.entries()) {
    const { left, right, top, bottom } = tileArea(list.tile, snapshot.tiles.across, snapshot.tiles.size, target);
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const stack = pixelStack(scene, list, x, y);
        const { end, ...undone } = measure(stack, place);
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

function largestDifference(a: number[], b: number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i])));
}

/** By the twin, which rounds each state to float32 as it is stored. */
function measureByReference(stack: PixelStack): Measurement {
  const error = { ...zeroUndoError };
  const { backward, end } = undoWalk(stack, "float32");
  let [squaredDifferences, squaredSum] = [0, 0];
  for (const { blend, undone, byKeeping, byUndoing } of backward) {
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
    const keptGradient = raw(byKeeping);
    for (const [i, value] of raw(byUndoing).entries()) {
      squaredDifferences += (value - keptGradient[i]) ** 2;
      squaredSum += keptGradient[i] ** 2;
    }
  }
  if (squaredSum > 0) error.gradient = Math.sqrt(squaredDifferences / squaredSum);
  return { ...error, end };
}

/** Of kept states in one dispatch. */
const maxBytes = 2 ** 25;

/** Lists whose tiles' kept states fit into one buffer; a list that is too long by itself is a batch by itself. */
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

/** By the kernels' own functions: a workgroup is a tile, a thread a pixel. */
async function measureByKernel(gpu: Gpu, scene: Scene, lists: TileList[]) {
  const { config, target: image, inspection: look } = scene;
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
  const range = { size: { width, height }, first: 0, end: lists.length, step: 1 };
  const error = gpu.struct("UndoError");
  const left = await runKernel(gpu, {
    file: "learn/undoError.wgsl",
    constants: { ...modelConstants(config), TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      job: jobUniform(gpu.shaders, config, image),
      dispatch: dispatchUniform(gpu.shaders, [range], config),
      parameters: look.state.parameters,
      targetImage: image.data,
      tiles,
      listed: Uint32Array.from(listed),
      states: 16 * states,
      alphas: 4 * states,
      errors: error.bytes * threads * lists.length,
    },
    workgroups: lists.length,
  });
  const floats = new Float32Array(left.errors);
  const words = new Uint32Array(left.errors);
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
