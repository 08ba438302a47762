import { tileGrid, tileOrigin } from "../../../engine/cpu/uv.js";
import type { Size } from "../../../engine/image.js";

/** A thread of a one-dimensional dispatch and the pixel that it has. */
export interface PlacedThread {
  /** Its number in the whole dispatch, and in its workgroup. */
  thread: number;
  local: number;
  x: number;
  y: number;
}

/** Where the threads of one workgroup work, as threadPlace in shaders/shared/uv.wgsl has it: the articles' calcCompressedDispatchIDs. */
export function threadsOf(workgroup: number, tile: [number, number], size: Size): PlacedThread[] {
  const [width, height] = tile;
  const { across } = tileGrid(size, tile);
  const origin = tileOrigin(workgroup, across, tile);
  return Array.from({ length: width * height }, (_, local) => ({
    thread: workgroup * width * height + local,
    local,
    x: origin.x + (local % width),
    y: origin.y + Math.floor(local / width),
  }));
}
