import { type Image, toImage } from "../../engine/image/image.js";
import { draw } from "../../engine/model/rasterize.js";
import { listsOf, renderOf, renderTask, scatterPixels } from "../../engine/model/renderTasks.js";
import type { Snapshot } from "./snapshotFile.js";

/** Returns the render of a snapshot, by the CPU reference. */
export function drawSnapshot({ config, image, state: { parameters } }: Snapshot): Image {
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  const tiles = lists.across * lists.down;
  const data = new Float32Array(4 * image.width * image.height);
  scatterPixels(render, 0, tiles, draw(renderTask(render, lists, parameters, undefined, 0, tiles)), data);
  return toImage({ ...render.size, data });
}
