import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Real-time training". */
export const realtimeExercise: Exercise = {
  id: "realtime.slots",
  title: "Sum of the slots",
  task: "Each tile that a blob meets has left a part of the blob’s gradient in a slot. Return the sum with this slot added. A Slot has nine numbers, in a and b (vec4f) and c (f32), and step, the training step that wrote it: take that of slot. The if skips slots of other steps.",
  pipeline: "binned",
  file: "binned/7-updateBlobs.wgsl",
  hides: "Slot(sum.a + slot.a, sum.b + slot.b, sum.c + slot.c, slot.step)",
  hint: "The gradient of a blob is a sum over all pixels, so over all tiles.",
  reason:
    "The loss is a sum over pixels, so its gradient is the sum of the parts of all tiles. Added one after the other in a fixed order, they give the same bits in every run.",
  mistakes: [
    {
      code: "slot",
      says: "Only the part of the last tile is left.",
    },
    {
      code: "Slot(sum.a - slot.a, sum.b - slot.b, sum.c - slot.c, slot.step)",
      says: "This reverses the gradient’s sign.",
    },
    {
      code: "Slot(sum.a + slot.a, sum.b + slot.b, slot.c, slot.step)",
      says: "The last part is replaced, not added.",
    },
  ],
};
