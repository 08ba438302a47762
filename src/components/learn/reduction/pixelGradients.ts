import { svg } from "htl";
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
import type { Inspection, Run } from "../../training/run.js";
import { indexOfLargest } from "../largest.js";

/** A snapshot with tiles of any size, which can differ from the run's: gradients at a pixel do not depend on it. */
export type TiledSnapshot = ReturnType<typeof tileSnapshot>;

/** Assigns the blobs of a snapshot to tiles. */
export function tileSnapshot(
  { config, target: { image } }: { config: Run["config"]; target: { image: Image } },
  { state: { parameters } }: Pick<Inspection, "state">,
  tile: [number, number],
) {
  const render = renderOf(config, image, image, tile);
  const lists = listsOf(render, parameters);
  return { image, parameters, tile, lists, render };
}

/** Returns the tiles that a blob intersects, in ascending order. */
export function tilesOf({ lists }: TiledSnapshot, blob: number): number[] {
  const tiles = Array.from({ length: lists.offsets.length - 1 }, (_, t) => t);
  return tiles.filter((t) => blobsOfTile(lists, t).includes(blob));
}

/**
 * Returns dL/draw of one raw parameter at each pixel of a tile, before the clamp, for every blob of the tile list. By
 * blob, a float32 per thread, by local index; 0 for a thread with a pixel outside the image.
 */
export function pixelGradients(snapshot: TiledSnapshot, tileIndex: number, field: number): Map<number, Float32Array> {
  const { tile, lists, render, parameters, image } = snapshot;
  const task = renderTask(render, lists, parameters, image.data, tileIndex, tileIndex + 1);
  const slopes = decodeAll(task.parameters, render.model).map(({ slope }) => slope[valueNames[field]]);
  const values = Array.from(task.blobs, () => new Float32Array(tile[0] * tile[1]));
  const origin = tileOrigin(tileIndex, lists.across, tile);
  let thread = 0;
  differentiate(task, undefined, {
    pixel(x, y) {
      thread = (y - origin.y) * tile[0] + x - origin.x;
    },
    blob(position, _alpha, _dAlpha, _before, _d, gradient) {
      values[position][thread] = gradient[valueNames[field]] * slopes[position];
    },
  });
  return new Map(Array.from(task.blobs, (blob, position) => [blob, values[position]]));
}

/** Returns the blob with the largest gradient of a raw parameter. */
export function steepestBlob({ gradients }: Pick<Inspection, "gradients">, field: number): number {
  return indexOfLargest(gradientsOfField(gradients, field).map(Math.abs));
}

/** Returns the blob that intersects the most tiles of 8 × 8 pixels, among those with a large gradient of a raw parameter. */
export function widestSteepBlob(run: Parameters<typeof tileSnapshot>[0], snapshot: Inspection, field: number): number {
  const { lists } = tileSnapshot(run, snapshot, [8, 8]);
  const magnitudes = gradientsOfField(snapshot.gradients, field).map(Math.abs);
  const limit = 0.1 * magnitudes[indexOfLargest(magnitudes)];
  const tiles = magnitudes.map(() => 0);
  for (const blob of lists.blobs) if (magnitudes[blob] >= limit) tiles[blob]++;
  return indexOfLargest(tiles);
}

function gradientsOfField(gradients: Float32Array, field: number): Float32Array {
  const blobs = gradients.length / parameterCount;
  return gradients.subarray(field * blobs, (field + 1) * blobs);
}

/** Returns the tile of a blob in which the gradients of a raw parameter cancel the most. */
export function mostDisputedTile(snapshot: TiledSnapshot, blob: number, field: number): GridCell {
  const tiles = tilesOf(snapshot, blob);
  const disputes = tiles.map((tile) => {
    const values = [...pixelGradients(snapshot, tile, field).get(blob)!];
    const sum = values.reduce((a, b) => a + b);
    return values.reduce((magnitudes, value) => magnitudes + Math.abs(value), 0) - Math.abs(sum);
  });
  const tile = tiles[indexOfLargest(disputes)] ?? 0;
  const { across } = snapshot.lists;
  return { column: tile % across, row: Math.floor(tile / across) };
}

/** Returns a blob's 4σ ellipse to draw over the image, visible on any colour. */
export function blobOutline({ parameters, image, render }: TiledSnapshot, blob: number): SVGElement {
  const d = ellipsePath(blobBounds(decode(parameters, blob, render.model)));
  const shape = { d, fill: "none", "vector-effect": "non-scaling-stroke" };
  const dark = svg`<path ${shape} stroke="rgb(0 0 0 / 55%)" stroke-width="4.5"/>`;
  const light = svg`<path ${shape} stroke="white" stroke-width="1.5" stroke-dasharray="4 3"/>`;
  return uvGroup(image, dark, light);
}
