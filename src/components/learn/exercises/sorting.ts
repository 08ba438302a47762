import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Sorting with a bitonic network". */
export const sortingExercise: Exercise = {
  id: "sorting.padding",
  title: "Slots to pad",
  task: "The list has sh_blobCount blobs. Give the first slot that this thread pads, so that all threads together pad every slot behind the blobs.",
  file: "tiled/padBuffer.wgsl",
  hides: "sh_blobCount + localIndex",
  hint: "Slots are counted from 0, so the blobs have the slots below their number.",
  reason:
    "The blobs are in the slots 0 to blobCount − 1. Every slot behind them gets the sentinel, which is greater than any index, so it stays behind the blobs.",
  mistakes: [
    {
      code: "localIndex",
      says: "This overwrites the blobs, and the tile has none left.",
    },
    {
      code: "sh_blobCount + localIndex + 1u",
      says: "The slot right behind the blobs keeps an old number, which is sorted among them.",
    },
    {
      code: "sh_blobCount",
      says: "All threads start at the same slot, so most slots are not padded.",
    },
  ],
};
