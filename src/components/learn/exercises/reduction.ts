import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Summing gradients". */
export const reductionExercise: Exercise = {
  id: "reduction.add",
  title: "A round of the tree reduction",
  task: "Let a thread add the number of its partner, which is stride threads further on, to its own. The numbers are in sh_reduction, one per thread.",
  file: "shared/accumulate.wgsl",
  hides: "sh_reduction[localIndex] += sh_reduction[localIndex + stride];",
  hint: "After the round, the threads below stride together hold the whole sum.",
  reason: "Each thread of the lower half adds one number of the upper half, so no number is lost or added twice.",
  mistakes: [
    {
      code: "sh_reduction[localIndex] = sh_reduction[localIndex + stride];",
      says: "This replaces the thread's own number, so half of the numbers are lost in each round.",
    },
    {
      code: "sh_reduction[localIndex + stride] += sh_reduction[localIndex];",
      says: "The next round reads only the lower half, which this leaves unchanged.",
    },
  ],
};
