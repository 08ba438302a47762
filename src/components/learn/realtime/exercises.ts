import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Real-time training". */
export const realtimeExercises: readonly Exercise[] = [
  {
    id: "realtime.pixel",
    title: "Pixel of a thread",
    task: "Compute the pixel of a thread from its number in the workgroup, localIndex. The threads cover the tile row by row; origin is the tile's first pixel.",
    wgsl: { file: "shared/uv.wgsl", hides: "origin + vec2u(localIndex % TILE_WIDTH, localIndex / TILE_WIDTH)" },
    typescript: {
      file: "model/trial.ts",
      hides: "(y - top) * config.tile[0] + x - left",
      task: "Compute the number of the thread that has pixel (x, y). The threads cover the tile row by row; its first pixel is (left, top), its width config.tile[0] and its height config.tile[1].",
    },
    hint: "A row has as many threads as the tile has pixels across.",
    reason:
      "A thread has column localIndex mod width and row ⌊localIndex / width⌋ of the tile. Conversely, localIndex = row · width + column.",
    mistakes: [
      {
        wgsl: "origin + vec2u(localIndex / TILE_WIDTH, localIndex % TILE_WIDTH)",
        typescript: "(x - left) * config.tile[0] + y - top",
        says: "This exchanges columns and rows.",
      },
      {
        wgsl: "origin + vec2u(localIndex % TILE_WIDTH, localIndex / TILE_HEIGHT)",
        typescript: "(y - top) * config.tile[1] + x - left",
        says: "A row has as many pixels as the tile is wide, not as it is high.",
      },
      {
        wgsl: "vec2u(localIndex % TILE_WIDTH, localIndex / TILE_WIDTH)",
        typescript: "y * config.tile[0] + x",
        says: "This is right in the first tile only: the position of the tile is missing.",
      },
    ],
  },
  {
    id: "realtime.tiles",
    title: "Tiles of a blob",
    task: "Compute the end of the columns and rows of tiles that the blob reaches: one more than the last of each. The blob reaches blob.center + reach, and a tile has the size tile, all in pixels.",
    pipeline: "binned",
    wgsl: { file: "binned/support.wgsl", hides: "floor((blob.center + reach) / tile) + 1.0" },
    typescript: {
      file: "model/uv.ts",
      hides: "Math.min(left + size[0], render.width)",
      task: "Compute the end of the columns of pixels of a tile: one more than the last. The tile starts at left and is size[0] pixels wide; at the edge it ends with the render, which is render.width pixels wide.",
    },
    hint: "A range low ≤ x < high does not include its end.",
    reason:
      "The blob’s last column is ⌊(centre + reach) / width⌋, and the end is one more. In the CPU reference, the tile ends at left + width or at the edge of the render, whichever comes first.",
    mistakes: [
      {
        wgsl: "floor((blob.center + reach) / tile)",
        typescript: "Math.min(left + size[0] - 1, render.width)",
        says: "The range does not include its end, so the last column is missing.",
      },
      {
        wgsl: "floor(blob.center / tile) + 1.0",
        typescript: "Math.min(left, render.width)",
        says: "This ignores how far the blob or the tile extends.",
      },
      {
        typescript: "left + size[0]",
        says: "The last tile of a row may extend beyond the render.",
      },
    ],
  },
  {
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
  },
];
