import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Summing gradients". */
export const reductionExercises: readonly Exercise[] = [
  {
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
  },
  {
    id: "reduction.rounds",
    title: "From round to round",
    task: "Update stride for the next round.",
    wgsl: { file: "shared/accumulate.wgsl", hides: "stride /= 2u" },
    typescript: { file: "model/accumulate.ts", hides: "stride >>= 1" },
    hint: "After a round, half as many threads hold the sum.",
    reason:
      "Each round halves the number of sums, so n threads need log₂ n rounds. After stride 1, thread 0 has the sum.",
    mistakes: [
      {
        wgsl: "stride -= 1u",
        typescript: "stride--",
        says: "Then the upper threads are added again and again, in n − 1 rounds.",
      },
      {
        wgsl: "stride /= 4u",
        typescript: "stride >>= 2",
        says: "This skips every second round, and the sums of half of the threads with it.",
      },
      {
        typescript: "stride /= 2",
        says: "In TypeScript, half of 1 is 0.5, so the loop goes on. Round down.",
      },
    ],
  },
  {
    id: "reduction.swap",
    title: "Adding a float to memory",
    task: "Compute the bits that the compare-and-swap stores: those of the float in memory plus value. seen has the bits in memory, as a u32.",
    wgsl: { file: "shared/accumulate.wgsl", hides: "bitcast<u32>(bitcast<f32>(seen) + value)" },
    typescript: {
      file: "model/trial.ts",
      hides: "+= treeReduce(values)",
      task: "Update the gradient in memory with the sum of a tile, treeReduce(values). Write an operator and what is right of it.",
    },
    hint: "Memory already has the sum of the earlier tiles. In WGSL, bitcast changes the type and keeps the bits.",
    reason:
      "Each tile adds to what the others have left. A float and a u32 both have 32 bits, so atomics on u32 can exchange floats.",
    mistakes: [
      {
        wgsl: "seen + bitcast<u32>(value)",
        says: "This adds the bits as whole numbers. A float has to be added as a float.",
      },
      {
        wgsl: "u32(bitcast<f32>(seen) + value)",
        says: "u32(…) rounds the number to a whole one. bitcast<u32>(…) keeps its bits.",
      },
      {
        wgsl: "bitcast<u32>(value)",
        typescript: "= treeReduce(values)",
        says: "This replaces the sum of the other tiles instead of adding to it.",
      },
      {
        typescript: "+= values[0]",
        says: "Without treeReduce, values[0] is the gradient at one pixel of the tile.",
      },
    ],
  },
];
