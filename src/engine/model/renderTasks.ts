import type { Background, TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { decodeEach, type Model, modelOf } from "./blob.js";
import { parameterCount } from "./blobs.js";
import { binBlobs, type TileLists } from "./tileLists.js";
import { calcUV, tileArea, tileGrid, type UvMapping } from "./uv.js";

/**
 * Some tiles that follow one another, with all that it takes to compute their pixels: it can be sent to a worker that
 * knows nothing else. Its pixels go tile by tile, row by row.
 */
export interface RenderTask {
  render: RenderSetup;
  firstTile: number;
  /** The short-list of tile firstTile + t stands in `list` from offsets[t] to offsets[t + 1]. */
  offsets: Uint32Array;
  /** The tiles' short-lists, as places in `blobs`. */
  list: Uint32Array;
  /** The blobs of these tiles, by their index in the whole. */
  blobs: Uint32Array;
  /** Their raw parameters, field-major. */
  parameters: Float32Array | Float64Array;
  /** RGBA bytes of the target's pixels; none where a picture alone is asked for. */
  target: Uint8ClampedArray;
}

/** What is drawn, whatever the part. */
export interface RenderSetup {
  size: Size;
  tile: [number, number];
  across: number;
  uv: UvMapping;
  background: Background;
  model: Model;
}

/** How a config's blobs, which learn a picture of one size, are drawn at that size or another. */
export function renderOf(config: TrainConfig, texture: Size, size = texture, tile = config.tile): RenderSetup {
  const { width, height } = size;
  const { across } = tileGrid(size, tile);
  const [uv, model] = [calcUV(size, texture), modelOf(config, texture)];
  return { size: { width, height }, tile, across, uv, background: config.background, model };
}

/** The blobs on the tiles of a render. */
export function listsOf({ size, uv, tile, model }: RenderSetup, parameters: ArrayLike<number>): TileLists {
  return binBlobs(decodeEach(parameters, model), size, uv, tile);
}

/** The parts of a render, in order, made one by one as they are asked for. */
export interface RenderTasks extends Iterable<RenderTask> {
  count: number;
}

/** So many that a dozen workers end together, and each a few milliseconds long, so that handing it over costs little. */
const targetTaskCount = 64;
const [minPairs, maxPairs] = [2 ** 15, 2 ** 19];

/**
 * Cuts a render into parts of about as many pairs of a pixel and a blob each. The cuts depend on the lists alone, so
 * that sums over parts come to the same bits wherever the parts are computed.
 * @param target the picture to learn, of the render's size, where derivatives are asked for
 */
export function splitIntoTasks(
  render: RenderSetup,
  lists: TileLists,
  parameters: ArrayLike<number>,
  target?: Uint8ClampedArray,
): RenderTasks {
  const cuts = cutTiles(render, lists);
  return {
    count: cuts.length - 1,
    *[Symbol.iterator]() {
      const indexMap = new BlobIndexMap(parameters.length / parameterCount);
      for (let taskIndex = 0; taskIndex + 1 < cuts.length; taskIndex++) {
        yield renderTask(render, lists, parameters, target, cuts[taskIndex], cuts[taskIndex + 1], indexMap);
      }
    },
  };
}

/** The part of a render from one tile to another. */
export function renderTask(
  render: RenderSetup,
  lists: TileLists,
  parameters: ArrayLike<number>,
  target: Uint8ClampedArray | undefined,
  first: number,
  end: number,
  indexMap = new BlobIndexMap(parameters.length / parameterCount),
): RenderTask {
  const start = lists.offsets[first];
  const offsets = lists.offsets.slice(first, end + 1).map((offset) => offset - start);
  const { list, blobs } = indexMap.of(lists.blobs.subarray(start, lists.offsets[end]));
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

/** One pixel of a render whose tiles are pixels, with a list of blobs of its own. */
export function pixelTask(
  render: RenderSetup,
  pixel: number,
  blobs: Uint32Array,
  parameters: ArrayLike<number>,
  target: Uint8ClampedArray,
): RenderTask {
  return {
    render,
    firstTile: pixel,
    offsets: Uint32Array.of(0, blobs.length),
    list: Uint32Array.from(blobs.keys()),
    blobs,
    parameters: gatherParameters(parameters, blobs),
    target: target.subarray(4 * pixel, 4 * pixel + 4),
  };
}

/** The first tile of each part, and the end of the last. */
function cutTiles({ tile, across }: RenderSetup, { down, offsets }: TileLists): number[] {
  const count = across * down;
  const pixels = tile[0] * tile[1];
  // A pixel costs something even where no blob is.
  const pairsUpTo = (t: number) => pixels * (offsets[t] + t);
  const pairs = Math.min(Math.max(pairsUpTo(count) / targetTaskCount, minPairs), maxPairs);
  const cuts = [0];
  for (let t = 1; t < count; t++) if (pairsUpTo(t) - pairsUpTo(cuts[cuts.length - 1]) >= pairs) cuts.push(t);
  return [...cuts, count];
}

/** Names the blobs of lists by their places among those of the same part. */
class BlobIndexMap {
  /** A blob's place, counted from 1; 0 for none. */
  readonly #indices: Uint32Array;

  constructor(blobs: number) {
    this.#indices = new Uint32Array(blobs);
  }

  of(blobsOfTiles: Uint32Array): { list: Uint32Array; blobs: Uint32Array } {
    const list = new Uint32Array(blobsOfTiles.length);
    const blobs: number[] = [];
    for (let k = 0; k < list.length; k++) {
      const blob = blobsOfTiles[k];
      if (this.#indices[blob] === 0) this.#indices[blob] = blobs.push(blob);
      list[k] = this.#indices[blob] - 1;
    }
    for (const blob of blobs) this.#indices[blob] = 0;
    return { list, blobs: Uint32Array.from(blobs) };
  }
}

function gatherParameters(parameters: ArrayLike<number>, blobs: Uint32Array): RenderTask["parameters"] {
  const all = parameters.length / parameterCount;
  // As precise as they are kept.
  const ArrayType = parameters instanceof Float32Array ? Float32Array : Float64Array;
  const gathered = new ArrayType(parameterCount * blobs.length);
  for (let field = 0; field < parameterCount; field++) {
    for (let k = 0; k < blobs.length; k++) gathered[field * blobs.length + k] = parameters[field * all + blobs[k]];
  }
  return gathered;
}

/** The RGBA values of some tiles' pixels, out of a whole picture. */
function gatherPixels(render: RenderSetup, first: number, end: number, image: Uint8ClampedArray): Uint8ClampedArray {
  const rows: Uint8ClampedArray[] = [];
  for (const [from, to] of pixelRows(render, first, end)) rows.push(image.subarray(from, to));
  const gathered = new Uint8ClampedArray(rows.reduce((length, row) => length + row.length, 0));
  let at = 0;
  for (const row of rows) {
    gathered.set(row, at);
    at += row.length;
  }
  return gathered;
}

/** Puts the RGBA values of some tiles' pixels into a whole picture. */
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

/** Where the RGBA values of each tile's rows begin and end in a whole picture. */
function* pixelRows({ size, tile, across }: RenderSetup, first: number, end: number) {
  for (let t = first; t < end; t++) {
    const { left, right, top, bottom } = tileArea(t, across, tile, size);
    for (let y = top; y < bottom; y++) yield [4 * (y * size.width + left), 4 * (y * size.width + right)];
  }
}
