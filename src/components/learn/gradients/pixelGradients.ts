import { parameterCount } from "../../../engine/blobs.js";
import { decode, decodeAll, modelOf } from "../../../engine/cpu/blob.js";
import { blobBounds } from "../../../engine/cpu/bounds.js";
import type { Render } from "../../../engine/cpu/parts.js";
import { differentiate } from "../../../engine/cpu/rasterize.js";
import { binBlobs, type TileLists } from "../../../engine/cpu/tileLists.js";
import { calcUV, tileArea, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Image } from "../../../engine/image.js";
import type { GridPlace } from "../../inputs/gridPicker.js";
import { svg } from "../../page/element.js";
import type { Look, Run } from "../../training/run.js";

/** A look cut into tiles of any size, which may differ from the run's: the gradients of a pixel do not depend on it. */
export interface TiledLook {
  image: Image;
  /** 9·N, field-major. */
  parameters: Float32Array;
  tile: [number, number];
  lists: TileLists;
  render: Render;
}

/** Lays a look's blobs out on tiles. */
export function tileLook(
  { config, target: { image } }: { config: Run["config"]; target: { image: Image } },
  { state: { parameters } }: Pick<Look, "state">,
  tile: [number, number],
): TiledLook {
  const model = modelOf(config, image);
  const uv = calcUV(image, image);
  const lists = binBlobs(decodeAll(parameters, model), image, uv, tile);
  // To the engine each pixel is a tile of its own, so that its gradients are told apart.
  const { width, height } = image;
  const render: Render = {
    size: { width, height },
    tile: [1, 1],
    across: width,
    uv,
    composite: config.composite,
    model,
  };
  return { image, parameters, tile, lists, render };
}

/** The tiles that a blob meets, in the order of their numbers. */
export function tilesOf({ lists }: TiledLook, blob: number): number[] {
  const tiles = Array.from({ length: lists.offsets.length - 1 }, (_, t) => t);
  return tiles.filter((t) => blobsOf(lists, t).includes(blob));
}

/** The blobs of a tile's short-list. */
export function blobsOf({ offsets, blobs }: TileLists, tile: number): Uint32Array {
  return blobs.subarray(offsets[tile], offsets[tile + 1]);
}

/**
 * dL/draw of one raw parameter of every blob of a tile's short-list at each pixel of the tile, before the clamp. By blob:
 * as many numbers as the tile has threads, by their local index, each rounded to float32; 0 for a thread whose pixel is
 * not on the picture.
 */
export function pixelGradients(look: TiledLook, tile: number, field: number): Map<number, Float32Array> {
  const { tile: size, lists, render, parameters, image } = look;
  const blobs = blobsOf(lists, tile);
  const values = Array.from(blobs, () => new Float32Array(size[0] * size[1]));
  const all = parameters.length / parameterCount;
  const gathered = new Float64Array(parameterCount * blobs.length);
  for (let f = 0; f < parameterCount; f++) {
    for (let k = 0; k < blobs.length; k++) gathered[f * blobs.length + k] = parameters[f * all + blobs[k]];
  }
  const list = blobs.map((_, k) => k);
  const offsets = Uint32Array.of(0, blobs.length);
  const origin = tileOrigin(tile, lists.across, size);
  const { left, top, right, bottom } = tileArea(tile, lists.across, size, image);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const firstTile = y * image.width + x;
      const target = image.data.subarray(4 * firstTile, 4 * firstTile + 4);
      const part = { render, firstTile, offsets, list, blobs, parameters: gathered, target };
      const { gradients } = differentiate(part, Number.POSITIVE_INFINITY);
      const localIndex = (y - origin.y) * size[0] + (x - origin.x);
      for (let k = 0; k < blobs.length; k++) values[k][localIndex] = gradients[field * blobs.length + k];
    }
  }
  return new Map(Array.from(blobs, (blob, k) => [blob, values[k]]));
}

/** The blob whose raw parameter has the largest gradient. */
export function steepestBlob({ gradients }: Pick<Look, "gradients">, field: number): number {
  const sizes = ofField(gradients, field).map(Math.abs);
  return sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b)));
}

/** Of the blobs whose raw parameter has a steep gradient, the one that meets most tiles of 8 × 8 pixels. */
export function widestSteepBlob(run: Parameters<typeof tileLook>[0], look: Look, field: number): number {
  const { lists } = tileLook(run, look, [8, 8]);
  const sizes = ofField(look.gradients, field).map(Math.abs);
  const limit = 0.1 * sizes.reduce((a, b) => Math.max(a, b));
  const tiles = sizes.map(() => 0);
  for (const blob of lists.blobs) if (sizes[blob] >= limit) tiles[blob]++;
  return tiles.indexOf(tiles.reduce((a, b) => Math.max(a, b)));
}

function ofField(gradients: Float32Array, field: number): Float32Array {
  const blobs = gradients.length / parameterCount;
  return gradients.subarray(field * blobs, (field + 1) * blobs);
}

/** The tile in which a blob's centre lies, or the one nearest to it. */
export function centerTile({ parameters, image, render, lists, tile }: TiledLook, blob: number): GridPlace {
  const { centerX, centerY } = decode(parameters, blob, render.model);
  const at = (center: number, pixels: number, side: number, tiles: number) =>
    Math.min(Math.max(Math.floor((center * pixels) / side), 0), tiles - 1);
  return {
    column: at(centerX, image.width, tile[0], lists.across),
    row: at(centerY, image.height, tile[1], lists.down),
  };
}

/** A blob's 4σ ellipse, dark below light, to lay over the picture. */
export function blobOutline({ parameters, image: { width, height }, render }: TiledLook, blob: number): SVGElement {
  const { centerX, centerY, axisX, axisY, halfLength, halfWidth } = blobBounds(decode(parameters, blob, render.model));
  const turn = (180 * Math.atan2(axisY, axisX)) / Math.PI;
  const transform = `scale(${width} ${height}) translate(${centerX} ${centerY}) rotate(${turn})`;
  const common = { rx: halfLength, ry: halfWidth, fill: "none", "vector-effect": "non-scaling-stroke" };
  const dark = { stroke: "rgb(0 0 0 / 55%)", "stroke-width": 4.5 };
  const light = { stroke: "white", "stroke-width": 1.5, "stroke-dasharray": "4 3" };
  return svg("g", { transform }, svg("ellipse", { ...common, ...dark }), svg("ellipse", { ...common, ...light }));
}
