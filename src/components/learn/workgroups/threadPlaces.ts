import type { Size } from "../../../engine/image/image.js";
import { tileGrid, tileOrigin } from "../../../engine/model/uv.js";

/** Returns the tile and pixel of a thread of a one-dimensional dispatch, as threadPlace in shaders/shared/uv.wgsl does. */
export function threadPlace(thread: number, render: Size, [width, height]: [number, number]) {
  const threads = width * height;
  const tile = Math.floor(thread / threads);
  const localIndex = thread % threads;
  const { across } = tileGrid(render, [width, height]);
  const origin = tileOrigin(tile, across, [width, height]);
  // Threads are numbered row by row in a tile, as tiles are in an image.
  const offset = tileOrigin(localIndex, width, [1, 1]);
  const pixel = { x: origin.x + offset.x, y: origin.y + offset.y };
  // The last tiles may extend beyond the image.
  const inside = pixel.x < render.width && pixel.y < render.height;
  return { thread, tile, localIndex, origin, pixel, inside };
}

/** Returns the tile and pixel of each thread of a workgroup. */
export function threadsOf(workgroup: number, tile: [number, number], render: Size) {
  const threads = tile[0] * tile[1];
  return Array.from({ length: threads }, (_, localIndex) =>
    threadPlace(workgroup * threads + localIndex, render, tile),
  );
}
