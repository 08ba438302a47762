import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Blending and transmittance". */
export const blendingExercise: Exercise = {
  id: "blending.order",
  title: "Order of the blobs",
  task: "Write the head of the loop over the list of the pixel: a start, a condition and an update. sh_blobs has blobCount entries, sorted by index, and i is the current one. storeState does nothing here.",
  file: "tiled/fineRasterize.wgsl",
  hides: "var i = 0u; i < blobCount; i++",
  hint: "The blob with the smallest index is in front, and T starts at 1 there.",
  reason:
    "Front to back means from the first entry to the last: T is then the part that all blobs in front leave uncovered.",
  mistakes: [
    {
      code: "var i = i32(blobCount) - 1; i >= 0; i--",
      says: "This visits the farthest blob first, and lets it cover the whole pixel.",
    },
    {
      code: "var i = 1u; i < blobCount; i++",
      says: "This leaves out the first blob, which is at 0.",
    },
    {
      code: "var i = 0u; i + 1u < blobCount; i++",
      says: "This leaves out the last blob.",
    },
    {
      code: "var i = 0u; i <= blobCount; i++",
      says: "This reads one entry too many. Entries are counted from 0, so the last one is at the length minus 1.",
    },
  ],
};
