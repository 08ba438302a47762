import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Real-time training". */
export const realtimeExercise: Exercise = {
  id: "realtime.slots",
  title: "Sum of the slots",
  task: "Each tile that a blob meets has left a part of the blob’s gradient in a slot. Return the sum with this slot added. A Slot has nine numbers, in a and b (vec4f) and c (f32), and step, the training step that wrote it: take that of slot. The if skips slots of other steps.",
  pipeline: "binned",
  wgsl: {
    file: "binned/7-updateBlobs.wgsl",
    hides: "Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step)",
  },
  typescript: {
    file: "model/trial.ts",
    hides: "(row % parameterCount) * blobs.length + blob",
    task: "Each tile adds its part to the gradient of a blob. The gradients are in one array: the first parameter of all blobs, then the second of all blobs, and so on. Compute the slot of this blob’s parameter number row % parameterCount. blob is the index of the blob, and blobs.length the number of all blobs.",
  },
  hint: "The gradient of a blob is a sum over all pixels, so over all tiles. In TypeScript, each parameter has blobs.length slots.",
  reason:
    "The loss is a sum over pixels, so its gradient is the sum of the parts of all tiles. Added one after the other in a fixed order, they give the same bits in every run.",
  mistakes: [
    {
      wgsl: "slot",
      says: "Only the part of the last tile is left.",
    },
    {
      wgsl: "Slot(sum.a - slot.a, sum.b - slot.b, sum.c - slot.c, slot.step)",
      says: "This reverses the gradient’s sign.",
    },
    {
      wgsl: "Slot(sum.a + slot.a, sum.b + slot.b, slot.c, slot.step)",
      says: "The last part is replaced, not added.",
    },
    {
      typescript: "blob * parameterCount + (row % parameterCount)",
      says: "This would put all parameters of a blob next to each other. Here the first parameter of all blobs comes first.",
    },
    {
      typescript: "(row % parameterCount) * task.blobs.length + blob",
      says: "These are the blobs of the tile. The array has a slot for every blob, and blobs.length of them for each parameter.",
    },
  ],
};
