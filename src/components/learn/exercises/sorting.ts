import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Sorting with a bitonic network". */
export const sortingExercise: Exercise = {
  id: "sorting.padding",
  title: "Slots to pad",
  task: "The list has sh_blobCount blobs. Give the first slot that this thread pads, so that all threads together pad every slot behind the blobs.",
  wgsl: { file: "tiled/padBuffer.wgsl", hides: "sh_blobCount + localIndex" },
  typescript: {
    file: "model/shortList.ts",
    hides: "fill(sentinel, list.blobCount)",
    task: "Pad the list: call fill(value, start), with a value that the sort leaves at the end. list.blobCount is the number of blobs, and sentinel is 0xFFFFFFFF.",
  },
  hint: "Slots are counted from 0, so the blobs have the slots below their number.",
  reason:
    "The blobs are in the slots 0 to blobCount − 1. Every slot behind them gets the sentinel, which is greater than any index, so it stays behind the blobs.",
  mistakes: [
    {
      wgsl: "localIndex",
      typescript: "fill(sentinel, 0)",
      says: "This overwrites the blobs, and the tile has none left.",
    },
    {
      wgsl: "sh_blobCount + localIndex + 1u",
      typescript: "fill(sentinel, list.blobCount + 1)",
      says: "The slot right behind the blobs keeps an old number, which is sorted among them.",
    },
    {
      wgsl: "sh_blobCount",
      says: "All threads start at the same slot, so most slots are not padded.",
    },
    {
      typescript: "fill(0, list.blobCount)",
      says: "Zeros are sorted to the front, and 0 is the index of a blob.",
    },
  ],
};
