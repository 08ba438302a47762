import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "The whole step". */
export const stepExercises: readonly Exercise[] = [
  {
    id: "step.weight",
    title: "Weight of a pixel in the loss",
    task: "Compute the weight of a pixel. The loss is the mean over all pixels of their squared errors, each summed over red, green and blue. The size of the image is job.textureSize, a vec2u.",
    wgsl: { file: "shared/loss.wgsl", hides: "1.0 / (f32(job.textureSize.x) * f32(job.textureSize.y))" },
    typescript: {
      file: "model/rasterize.ts",
      hides: "1 / (size.width * size.height)",
      task: "Compute the weight of a pixel. The loss is the mean over all pixels of their squared errors, each summed over red, green and blue. The size of the image is size.width and size.height.",
    },
    hint: "The mean over n pixels gives each of them the same weight.",
    reason: "The weight is 1 / (W H). With it, the loss of a large image can be compared with that of a small one.",
    mistakes: [
      {
        wgsl: "1.0",
        typescript: "1",
        says: "With this the loss is the sum over the pixels, not the mean: all gradients are too large by their number.",
      },
      {
        wgsl: "1.0 / (3.0 * f32(job.textureSize.x) * f32(job.textureSize.y))",
        typescript: "1 / (3 * size.width * size.height)",
        says: "This averages over the channels too, but here their squared errors are summed.",
      },
      {
        wgsl: "2.0 / (f32(job.textureSize.x) * f32(job.textureSize.y))",
        typescript: "2 / (size.width * size.height)",
        says: "The 2 is from the derivative of the square. The code multiplies by it later.",
      },
    ],
  },
  {
    id: "step.order",
    title: "Order of the backward pass",
    task: "Write the head of the loop over the blobs of the tile list, in the order of the backward pass: a start, a condition and an update. i is the number of a blob, counted from 1, and there are blobCount. The threads of a tile sum each gradient together, so all of them visit the whole list. The if skips the blobs that this pixel did not apply.",
    wgsl: { file: "tiled/fineRasterize.wgsl", hides: "var i = blobCount; i > 0u; i--" },
    typescript: {
      file: "model/rasterize.ts",
      hides: "let index = state.finalCount; index > 0; index--",
      task: "Write the head of the loop over the blobs of a pixel, in the order of the backward pass: a start, a condition and an update. index is the number of a blob, counted from 1, and state.finalCount blobs were applied. The CPU reference computes one pixel at a time, so it visits only these.",
    },
    hint: "The state that can be undone is the one after the last blob.",
    reason:
      "The backward pass applies the chain rule from the last operation to the first. It begins behind the last blob, where the state and its adjoint are known, and undoes one blob at a time.",
    mistakes: [
      {
        wgsl: "var i = 1u; i <= blobCount; i++",
        typescript: "let index = 1; index <= state.finalCount; index++",
        says: "This is the order of the forward pass. The pixel has the state behind the last blob, so the last one is undone first.",
      },
      {
        wgsl: "var i = blobCount; i > 1u; i--",
        typescript: "let index = state.finalCount; index > 1; index--",
        says: "This leaves out the first blob, the one in front.",
      },
      {
        wgsl: "var i = blobCount - 1u; i > 0u; i--",
        typescript: "let index = state.finalCount - 1; index >= 0; index--",
        says: "The blobs are counted from 1 here: the first one is number 1, and the number of the last one is their count.",
      },
      {
        typescript: "let index = tileBlobs.length; index > 0; index--",
        says: "The pixel may have stopped before the end of the list. Only the first state.finalCount blobs were applied.",
      },
    ],
  },
  {
    id: "step.chain",
    title: "From the adjoint of a blob to its raw parameters",
    task: "Call the backward functions of eval(blob, uv) and decode(raw), so that the result is the gradient of the raw parameters. Each takes the inputs of its forward function, then the adjoint of its output. gradient.blob is the adjoint of the output of eval, and raw has the raw parameters.",
    wgsl: {
      file: "tiled/fineRasterize.wgsl",
      hides: "decodeBackward(raw, evalBackward(blob, uv, gradient.blob))",
    },
    typescript: {
      file: "model/trial.ts",
      hides: "gradient[name] * slope",
      task: "Compute the gradient of a raw parameter. gradient[name] is the adjoint of its decoded value, and slope is the derivative of decoding.",
    },
    hint: "The forward pass decodes first and evaluates then. The backward functions run in the reverse order.",
    reason:
      "The adjoint of the output of eval becomes the adjoint of the decoded blob, and that becomes the adjoint of the raw parameters: the chain rule from the last function to the first.",
    mistakes: [
      {
        wgsl: "evalBackward(blob, uv, gradient.blob)",
        typescript: "gradient[name]",
        says: "These are the adjoints of the decoded values. The parameters that are trained are the raw ones.",
      },
      {
        wgsl: "decodeBackward(blob, evalBackward(blob, uv, gradient.blob))",
        says: "The backward function of decode takes the input of decode, the raw parameters.",
      },
    ],
  },
];
