import type { TrainConfig } from "../config.js";
import { type Size, sizeOf } from "../image/image.js";
import { listsOf, renderOf } from "../model/renderTasks.js";
import type { Tiles } from "../pipeline.js";
import { initialState } from "./initialState.js";

/** Returns the tile lists before the first step, of a job with random initialization. */
export function startingTiles(config: TrainConfig, size: Size): Pick<Tiles, "size" | "across" | "lengths"> {
  const { parameters } = initialState(config, { ...sizeOf(size), data: new Uint8ClampedArray() });
  const { across, offsets } = listsOf(renderOf(config, size), parameters);
  return { size: config.tile, across, lengths: offsets.slice(1).map((end, tile) => end - offsets[tile]) };
}
