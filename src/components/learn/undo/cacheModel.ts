import type { Size } from "../../../engine/image/image.js";
import { tileArea } from "../../../engine/model/uv.js";
import type { Tiles } from "../../../engine/pipeline.js";

/** Bytes of a state: red, green, blue and T as float32. */
export const stateBytes = 16;
/** Bytes per pixel that the undo stores: the last state and the number of applied blobs. */
export const undoBytes = stateBytes + 4;

type ListLengths = Pick<Tiles, "size" | "across" | "lengths">;

/** Returns the memory for the tile lists of an image: every pixel processes the whole list of its tile. */
export function cacheFacts({ size, across, lengths }: ListLengths, image: Size): CacheFacts {
  let states = 0;
  for (const [tile, length] of lengths.entries()) {
    const { left, right, top, bottom } = tileArea(tile, across, size, image);
    states += length * (right - left) * (bottom - top);
  }
  return factsOf(image.width * image.height, states);
}

/** Returns the memory for a square image in which all lists have the same length. */
export function uniformFacts(length: number, side: number): CacheFacts {
  return factsOf(side * side, length * side * side);
}

/** What a forward pass over an image stores for the backward pass. */
export type CacheFacts = ReturnType<typeof factsOf>;

/** @param states pixel–blob pairs: caching stores one state for each */
function factsOf(pixels: number, states: number) {
  const bytes = { cacheBytes: stateBytes * states, undoBytes: undoBytes * pixels };
  return { pixels, states, ...bytes, meanLength: states / pixels };
}
