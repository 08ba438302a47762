import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Workgroups and shared memory". */
export const workgroupsExercise: Exercise = {
  id: "workgroups.barrier",
  title: "Write, wait, read",
  task: "The threads of a workgroup add their values in sh_reduction, which has a word for each. Store value in the word of this thread, localIndex, and write what has to come before the first addition.",
  file: "shared/accumulate.wgsl",
  hides: "sh_reduction[localIndex] = value;\n  workgroupBarrier();",
  hint: "A word must not be read before it is written, and not be overwritten while its old value is needed.",
  reason: "Every word is written before the barrier and read by another thread after it.",
  mistakes: [
    {
      code: "sh_reduction[localIndex] = value;",
      says: "Without a barrier, a thread may read a word before another thread has written it.",
      // No barrier after the last assignment.
      race: /^(?![\s\S]*workgroupBarrier\(\)[^=]*$)/,
    },
    {
      code: "sh_reduction[localIndex] += value;\n  workgroupBarrier();",
      says: "The word still holds the result of an earlier sum. The value has to replace it.",
    },
  ],
};
