import { tileGrid, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Size } from "../../../engine/image.js";

/** Where a thread of a one-dimensional dispatch works. */
export interface ThreadPlace {
  /** Of the whole dispatch, workgroup after workgroup. */
  thread: number;
  /** The workgroup, which is a tile. */
  tile: number;
  localIndex: number;
  /** The tile's first pixel, and the thread's own. */
  origin: { x: number; y: number };
  pixel: { x: number; y: number };
  /** Whether the pixel lies on the render; the last tiles may reach over its edge. */
  inside: boolean;
}

/** What threadPlace in shaders/shared/uv.wgsl finds for a thread. */
export function threadPlace(thread: number, render: Size, [width, height]: [number, number]): ThreadPlace {
  const threads = width * height;
  const tile = Math.floor(thread / threads);
  const localIndex = thread % threads;
  const { across } = tileGrid(render, [width, height]);
  const origin = tileOrigin(tile, across, [width, height]);
  // Within a tile the threads go row by row, as the tiles do on the render.
  const within = tileOrigin(localIndex, width, [1, 1]);
  const pixel = { x: origin.x + within.x, y: origin.y + within.y };
  return { thread, tile, localIndex, origin, pixel, inside: pixel.x < render.width && pixel.y < render.height };
}
