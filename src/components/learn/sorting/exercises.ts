import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Sorting with a bitonic network". */
export const sortingExercises: readonly Exercise[] = [
  {
    id: "sorting.partner",
    title: "Partner of a place",
    task: "Compute the partner of place i in a pass of distance j, a power of two.",
    wgsl: { file: "tiled/bitonicSort.wgsl", hides: "i ^ j" },
    typescript: { file: "model/shortList.ts", hides: "i ^ j" },
    hint: "The partner differs from i in one binary digit, the one that is worth j.",
    reason:
      "Partners differ in the digit worth j and no other. The exclusive or with j flips this digit. Flipped twice, it is as before, so the places form pairs.",
    mistakes: [
      {
        wgsl: "i + j",
        typescript: "i + j",
        says: "A place that already has the digit worth j would get a partner in the next block, so a place is in two pairs.",
      },
      {
        wgsl: "i ^ k",
        typescript: "i ^ k",
        says: "k is the block size, which defines the direction. This partner is in another block.",
      },
      {
        wgsl: "i ^ (j - 1u)",
        typescript: "i ^ (j - 1)",
        says: "j − 1 has all digits below that of j. The partner differs in the digit worth j alone.",
      },
      {
        typescript: "i - j",
        says: "This partner is not behind i, and the code below acts only on partners that are. Nothing is sorted.",
      },
    ],
  },
  {
    id: "sorting.direction",
    title: "Direction of a pair",
    task: "Write the condition under which the pair of place i is sorted in ascending order. k is the block size, a power of two.",
    wgsl: { file: "tiled/bitonicSort.wgsl", hides: "(i & k) == 0u" },
    typescript: { file: "model/shortList.ts", hides: "(i & k) === 0" },
    hint: "The direction alternates from one block of k places to the next, and the first block is sorted in ascending order.",
    reason:
      "The digit of i worth k is zero in every second block, starting with the first. At the last k no place has that digit, so the whole list is sorted in ascending order.",
    mistakes: [
      {
        wgsl: "(i & k) != 0u",
        typescript: "(i & k) !== 0",
        says: "At the last block size no place has the digit worth k, so this sorts the whole list in descending order. (=== binds tighter than &.)",
      },
      {
        wgsl: "(i & j) == 0u",
        typescript: "(i & j) === 0",
        says: "At the smaller place of a pair the digit worth j is always zero, so this sorts every block in ascending order, and no pair of blocks is bitonic.",
      },
      {
        wgsl: "i < k",
        typescript: "i < k",
        says: "This sorts only the first block in ascending order. The direction alternates.",
      },
    ],
  },
  {
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
  },
];
