import type { Size } from "../../../engine/image/image.js";
import { tileArea } from "../../../engine/model/uv.js";
import type { Tiles } from "../../../engine/pipeline.js";

/** Red, green, blue and T of a state, as float32. */
export const stateBytes = 16;
/** What the undo keeps of a pixel: the last state, and how many blobs were applied. */
export const undoBytes = stateBytes + 4;

type ListLengths = Pick<Tiles, "size" | "across" | "lengths">;

/** Of lists by tile: every pixel of a tile goes through the tile's whole list. */
export function cacheFacts({ size, across, lengths }: ListLengths, image: Size): CacheFacts {
  let states = 0;
  for (const [tile, length] of lengths.entries()) {
    const { left, right, top, bottom } = tileArea(tile, across, size, image);
    states += length * (right - left) * (bottom - top);
  }
  return factsOf(image.width * image.height, states);
}

/** Of lists that are equally long everywhere. */
export function uniformFacts(length: number, side: number): CacheFacts {
  return factsOf(side * side, length * side * side);
}

/** What a pass over a picture keeps for the way back. */
export type CacheFacts = ReturnType<typeof factsOf>;

/** @param states pairs of a pixel and a blob of its tile's list: what naive differentiation keeps */
function factsOf(pixels: number, states: number) {
  const bytes = { cacheBytes: stateBytes * states, undoBytes: undoBytes * pixels };
  return { pixels, states, ...bytes, meanLength: states / pixels };
}
