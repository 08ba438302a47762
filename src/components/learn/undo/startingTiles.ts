import type { TrainConfig } from "../../../engine/config.js";
import { type Size, sizeOf } from "../../../engine/image/image.js";
import { listsOf, renderOf } from "../../../engine/model/renderTasks.js";
import type { Tiles } from "../../../engine/pipeline.js";
import { initialState } from "../../../engine/training/initialState.js";

/** Returns the tile lists before the first step, of a job with random initialization. */
export function startingTiles(config: TrainConfig, size: Size): Pick<Tiles, "size" | "across" | "lengths"> {
  const { parameters } = initialState(config, { ...sizeOf(size), data: new Uint8ClampedArray() });
  const { across, offsets } = listsOf(renderOf(config, size), parameters);
  return { size: config.tile, across, lengths: offsets.slice(1).map((end, tile) => end - offsets[tile]) };
}
