import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Workgroups and shared memory". */
export const workgroupsExercise: Exercise = {
  id: "workgroups.barrier",
  title: "Write, wait, read",
  task: "The threads of a workgroup add their values in sh_reduction, which has a word for each. Store value in the word of this thread, localIndex, and write what has to come before the first addition.",
  wgsl: {
    file: "shared/accumulate.wgsl",
    hides: "sh_reduction[localIndex] = value;\n  workgroupBarrier();",
  },
  typescript: {
    file: "model/shortList.ts",
    hides: "if (swapped) [blobs[i], blobs[l]] = [blobs[l], blobs[i]];",
    task: "This loop sorts a list, the subject of a later chapter. Swap the words blobs[i] and blobs[l] if swapped is true.",
  },
  hint: "A word must not be read before it is written, and not be overwritten while its old value is needed.",
  reason:
    "Every word is written before the barrier and read by another thread after it. Within one thread, the order of the statements suffices: the swap reads both words before it writes them.",
  mistakes: [
    {
      wgsl: "sh_reduction[localIndex] = value;",
      typescript: "if (swapped) { blobs[i] = blobs[l]; blobs[l] = blobs[i]; }",
      says: "A word is read at the wrong time: before it is written, or after it is overwritten.",
      // No barrier after the last assignment.
      race: /^(?![\s\S]*workgroupBarrier\(\)[^=]*$)/,
    },
    {
      wgsl: "sh_reduction[localIndex] += value;\n  workgroupBarrier();",
      says: "The word still holds the result of an earlier sum. The value has to replace it.",
    },
    {
      typescript: "if (swapped) { blobs[l] = blobs[i]; blobs[i] = blobs[l]; }",
      says: "The second statement reads a word that the first one has overwritten.",
    },
    {
      typescript: "[blobs[i], blobs[l]] = [blobs[l], blobs[i]];",
      says: "This swaps pairs that are in order.",
    },
  ],
};
