import type { Size } from "../../../engine/image/image.js";
import { tileGrid, tileOrigin } from "../../../engine/model/uv.js";

/** What threadPlace in shaders/shared/uv.wgsl finds for a thread of a one-dimensional dispatch. */
export function threadPlace(thread: number, render: Size, [width, height]: [number, number]) {
  const threads = width * height;
  const tile = Math.floor(thread / threads);
  const localIndex = thread % threads;
  const { across } = tileGrid(render, [width, height]);
  const origin = tileOrigin(tile, across, [width, height]);
  // Within a tile the threads go row by row, as the tiles do on the render.
  const offset = tileOrigin(localIndex, width, [1, 1]);
  const pixel = { x: origin.x + offset.x, y: origin.y + offset.y };
  /** The last tiles may reach over the render's edge. */
  const inside = pixel.x < render.width && pixel.y < render.height;
  return { thread, tile, localIndex, origin, pixel, inside };
}

/** The same for all threads of a workgroup. */
export function threadsOf(workgroup: number, tile: [number, number], render: Size) {
  const threads = tile[0] * tile[1];
  return Array.from({ length: threads }, (_, localIndex) =>
    threadPlace(workgroup * threads + localIndex, render, tile),
  );
}
