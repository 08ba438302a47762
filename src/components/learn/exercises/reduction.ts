import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Summing gradients". */
export const reductionExercise: Exercise = {
  id: "reduction.add",
  title: "A round of the tree reduction",
  task: "Let a thread add the number of its partner, which is stride threads further on, to its own. The numbers are in sh_reduction, one per thread.",
  wgsl: {
    file: "shared/accumulate.wgsl",
    hides: "sh_reduction[localIndex] += sh_reduction[localIndex + stride];",
  },
  typescript: {
    file: "model/accumulate.ts",
    hides: "values[i] += values[i + stride]",
    task: "Let thread i add the number of its partner, which is stride threads further on, to its own. The numbers are in values, one per thread.",
  },
  hint: "After the round, the threads below stride together hold the whole sum.",
  reason: "Each thread of the lower half adds one number of the upper half, so no number is lost or added twice.",
  mistakes: [
    {
      wgsl: "sh_reduction[localIndex] = sh_reduction[localIndex + stride];",
      typescript: "values[i] = values[i + stride]",
      says: "This replaces the thread's own number, so half of the numbers are lost in each round.",
    },
    {
      wgsl: "sh_reduction[localIndex + stride] += sh_reduction[localIndex];",
      typescript: "values[i + stride] += values[i]",
      says: "The next round reads only the lower half, which this leaves unchanged.",
    },
  ],
};
