import { completeConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import { listsOf, renderOf } from "../../../engine/model/renderTasks.js";
import { initialState } from "../../../engine/training/initialState.js";

/** Returns the mean length of the tile lists for some numbers of blobs at their random initialization. */
export function listLengths(numbers: readonly number[], { width, height }: Size): { x: number; y: number }[] {
  const image = { width, height, data: new Uint8ClampedArray(4 * width * height) };
  return numbers.map((blobs) => {
    const config = completeConfig({ blobs, pipeline: "tiled" });
    const { offsets } = listsOf(renderOf(config, image), initialState(config, image).parameters);
    return { x: blobs, y: offsets.at(-1)! / (offsets.length - 1) };
  });
}
