import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "The whole step". */
export const stepExercise: Exercise = {
  id: "step.chain",
  title: "From the adjoint of a blob to its raw parameters",
  task: "Call the backward functions of eval(blob, uv) and decode(raw), so that the result is the gradient of the raw parameters. Each takes the inputs of its forward function, then the adjoint of its output. gradient.blob is the adjoint of the output of eval, and raw has the raw parameters.",
  file: "tiled/fineRasterize.wgsl",
  hides: "decodeBackward(raw, evalBackward(blob, uv, gradient.blob))",
  hint: "The forward pass decodes first and evaluates then. The backward functions run in the reverse order.",
  reason:
    "The adjoint of the output of eval becomes the adjoint of the decoded blob, and that becomes the adjoint of the raw parameters: the chain rule from the last function to the first.",
  mistakes: [
    {
      code: "evalBackward(blob, uv, gradient.blob)",
      says: "These are the adjoints of the decoded values. The parameters that are trained are the raw ones.",
    },
    {
      code: "decodeBackward(blob, evalBackward(blob, uv, gradient.blob))",
      says: "The backward function of decode takes the input of decode, the raw parameters.",
    },
  ],
};
