import type { Image } from "../../../engine/image/image.js";
import { decode, decodeAll, valueNames } from "../../../engine/model/blob.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { blobBounds } from "../../../engine/model/bounds.js";
import { differentiate } from "../../../engine/model/rasterize.js";
import { listsOf, renderOf, renderTask } from "../../../engine/model/renderTasks.js";
import { blobsOfTile } from "../../../engine/model/tileLists.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { ellipsePath, uvGroup } from "../../figures/shapes.js";
import type { GridCell } from "../../inputs/gridPicker.js";
import { svg } from "../../page/element.js";
import type { Inspection, Run } from "../../training/run.js";

/** A look cut into tiles of any size, which may differ from the run's: the gradients of a pixel do not depend on it. */
export type TiledSnapshot = ReturnType<typeof tileSnapshot>;

/** Lays a look's blobs out on tiles. */
export function tileSnapshot(
  { config, target: { image } }: { config: Run["config"]; target: { image: Image } },
  { state: { parameters } }: Pick<Inspection, "state">,
  tile: [number, number],
) {
  const render = renderOf(config, image, image, tile);
  const lists = listsOf(render, parameters);
  return { image, parameters, tile, lists, render };
}

/** The tiles that a blob meets, in the order of their numbers. */
export function tilesOf({ lists }: TiledSnapshot, blob: number): number[] {
  const tiles = Array.from({ length: lists.offsets.length - 1 }, (_, t) => t);
  return tiles.filter((t) => blobsOfTile(lists, t).includes(blob));
}

/**
 * dL/draw of one raw parameter of every blob of a tile's short-list at each pixel of the tile, before the clamp. By blob:
 * as many numbers as the tile has threads, by their local index, each rounded to float32; 0 for a thread whose pixel is
 * not on the picture.
 */
export function pixelGradients(snapshot: TiledSnapshot, tileIndex: number, field: number): Map<number, Float32Array> {
  const { tile, lists, render, parameters, image } = snapshot;
  const part = renderTask(render, lists, parameters, image.data, tileIndex, tileIndex + 1);
  const slopes = decodeAll(part.parameters, render.model).map(({ slope }) => slope[valueNames[field]]);
  const values = Array.from(part.blobs, () => new Float32Array(tile[0] * tile[1]));
  const origin = tileOrigin(tileIndex, lists.across, tile);
  let thread = 0;
  differentiate(part, undefined, {
    pixel(x, y) {
      thread = (y - origin.y) * tile[0] + x - origin.x;
    },
    blob(position, _alpha, _dAlpha, _before, _d, gradient) {
      values[position][thread] = gradient[valueNames[field]] * slopes[position];
    },
  });
  return new Map(Array.from(part.blobs, (blob, place) => [blob, values[place]]));
}

/** The blob whose raw parameter has the largest gradient. */
export function steepestBlob({ gradients }: Pick<Inspection, "gradients">, field: number): number {
  const magnitudes = gradientsOfField(gradients, field).map(Math.abs);
  return magnitudes.indexOf(magnitudes.reduce((a, b) => Math.max(a, b)));
}

/** Of the blobs whose raw parameter has a steep gradient, the one that meets most tiles of 8 × 8 pixels. */
export function widestSteepBlob(run: Parameters<typeof tileSnapshot>[0], snapshot: Inspection, field: number): number {
  const { lists } = tileSnapshot(run, snapshot, [8, 8]);
  const magnitudes = gradientsOfField(snapshot.gradients, field).map(Math.abs);
  const limit = 0.1 * magnitudes.reduce((a, b) => Math.max(a, b));
  const tiles = magnitudes.map(() => 0);
  for (const blob of lists.blobs) if (magnitudes[blob] >= limit) tiles[blob]++;
  return tiles.indexOf(tiles.reduce((a, b) => Math.max(a, b)));
}

function gradientsOfField(gradients: Float32Array, field: number): Float32Array {
  const blobs = gradients.length / parameterCount;
  return gradients.subarray(field * blobs, (field + 1) * blobs);
}

/** Of the tiles that a blob meets, the one whose pixels pull hardest against each other at a raw parameter of it. */
export function mostDisputedTile(snapshot: TiledSnapshot, blob: number, field: number): GridCell {
  const tiles = tilesOf(snapshot, blob);
  const disputes = tiles.map((tile) => {
    const values = [...pixelGradients(snapshot, tile, field).get(blob)!];
    const sum = values.reduce((a, b) => a + b);
    return values.reduce((magnitudes, value) => magnitudes + Math.abs(value), 0) - Math.abs(sum);
  });
  const tile = tiles[disputes.indexOf(Math.max(...disputes))] ?? 0;
  const { across } = snapshot.lists;
  return { column: tile % across, row: Math.floor(tile / across) };
}

/** A blob's 4σ ellipse, dark below light, to lay over the picture. */
export function blobOutline({ parameters, image, render }: TiledSnapshot, blob: number): SVGElement {
  const d = ellipsePath(blobBounds(decode(parameters, blob, render.model)));
  const common = { d, fill: "none", "vector-effect": "non-scaling-stroke" };
  const dark = { stroke: "rgb(0 0 0 / 55%)", "stroke-width": 4.5 };
  const light = { stroke: "white", "stroke-width": 1.5, "stroke-dasharray": "4 3" };
  return uvGroup(image, svg("path", { ...common, ...dark }), svg("path", { ...common, ...light }));
}
