import { concat } from "../concat.js";
import type { Background, TrainConfig } from "../config.js";
import { type Size, sizeOf } from "../image/image.js";
import { decodeEach, type Model, modelOf } from "./blob.js";
import { parameterCount } from "./blobs.js";
import { binBlobs, type TileLists } from "./tileLists.js";
import { calcUV, tileArea, tileGrid, type UvMapping } from "./uv.js";

/**
 * Consecutive tiles, with everything that a worker needs to compute their pixels. Pixels are ordered by tile, and by row
 * within a tile.
 */
export interface RenderTask {
  render: RenderSetup;
  firstTile: number;
  /** The list of tile firstTile + t is in `list` from offsets[t] to offsets[t + 1]. */
  offsets: Uint32Array;
  /** The tile lists, as indices into `blobs`. */
  list: Uint32Array;
  /** Indices of the blobs of these tiles in the whole buffer. */
  blobs: Uint32Array;
  /** Their raw parameters, field-major. */
  parameters: Float32Array | Float64Array;
  /** RGBA bytes of the target's pixels; empty if only a render is needed. */
  target: Uint8ClampedArray;
}

/** What all tasks of a render share. */
export interface RenderSetup {
  size: Size;
  tile: [number, number];
  across: number;
  uv: UvMapping;
  background: Background;
  model: Model;
}

/** Returns the setup that draws a config's blobs, which learn an image of one size, at that size or another. */
export function renderOf(config: TrainConfig, texture: Size, size = texture, tile = config.tile): RenderSetup {
  const { across } = tileGrid(size, tile);
  const [uv, model] = [calcUV(size, texture), modelOf(config, texture)];
  return { size: sizeOf(size), tile, across, uv, background: config.background, model };
}

/** Returns the tile lists of a render. */
export function listsOf({ size, uv, tile, model }: RenderSetup, parameters: ArrayLike<number>): TileLists {
  return binBlobs(decodeEach(parameters, model), size, uv, tile);
}

/**
 * Returns the task for the tiles first ≤ t < end.
 * @param target the image to learn, of the render's size, if derivatives are needed
 */
export function renderTask(
  render: RenderSetup,
  lists: TileLists,
  parameters: ArrayLike<number>,
  target: Uint8ClampedArray | undefined,
  first: number,
  end: number,
): RenderTask {
  const start = lists.offsets[first];
  const offsets = lists.offsets.slice(first, end + 1).map((offset) => offset - start);
  const indices = new Map<number, number>();
  const list = lists.blobs.subarray(start, lists.offsets[end]).map((blob) => {
    const index = indices.get(blob) ?? indices.size;
    indices.set(blob, index);
    return index;
  });
  const blobs = Uint32Array.from(indices.keys());
  return {
    render,
    firstTile: first,
    offsets,
    list,
    blobs,
    parameters: gatherParameters(parameters, blobs),
    target: target ? gatherPixels(render, first, end, target) : new Uint8ClampedArray(),
  };
}

function gatherParameters(parameters: ArrayLike<number>, blobs: Uint32Array): RenderTask["parameters"] {
  const all = parameters.length / parameterCount;
  // The precision is kept.
  const ArrayType = parameters instanceof Float32Array ? Float32Array : Float64Array;
  const gathered = new ArrayType(parameterCount * blobs.length);
  for (let field = 0; field < parameterCount; field++) {
    for (let k = 0; k < blobs.length; k++) gathered[field * blobs.length + k] = parameters[field * all + blobs[k]];
  }
  return gathered;
}

/** Returns the RGBA values of the pixels of some tiles. */
function gatherPixels(render: RenderSetup, first: number, end: number, image: Uint8ClampedArray): Uint8ClampedArray {
  const rows = Array.from(pixelRows(render, first, end), ([from, to]) => image.subarray(from, to));
  return new Uint8ClampedArray(concat(rows).buffer);
}

/** Writes the RGBA values of the pixels of some tiles into an image. */
export function scatterPixels(
  render: RenderSetup,
  first: number,
  end: number,
  pixels: Float32Array,
  image: Float32Array,
): void {
  let at = 0;
  for (const [from, to] of pixelRows(render, first, end)) {
    image.set(pixels.subarray(at, at + to - from), from);
    at += to - from;
  }
}

/** Yields where the RGBA values of each tile's rows begin and end in an image. */
function* pixelRows({ size, tile, across }: RenderSetup, first: number, end: number) {
  for (let t = first; t < end; t++) {
    const { left, right, top, bottom } = tileArea(t, across, tile, size);
    for (let y = top; y < bottom; y++) yield [4 * (y * size.width + left), 4 * (y * size.width + right)];
  }
}
