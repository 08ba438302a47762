import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Undoing the blend". */
export const undoExercise: Exercise = {
  id: "undo.alpha",
  title: "Adjoint of α",
  task: "Compute the adjoint of α. pixel.a is T before the blob, d.a is T̄′, and alongColor is C̄′ · c. The blob reduces T to T′ = T (1 − ATTENUATION · α), where ATTENUATION is 1 in alpha compositing, and 0 where blobs are summed.",
  file: "shared/blend.wgsl",
  hides: "pixel.a * (alongColor - ATTENUATION * d.a)",
  hint: "α is in two results: C′ = C + α T c and T′ = T (1 − α). Each contributes its adjoint times its derivative.",
  reason:
    "∂C′/∂α = T c and ∂T′/∂α = −T. By the chain rule, ᾱ = T (C̄′ · c) − T T̄′: the blob adds its own colour and covers more of all that is behind it.",
  mistakes: [
    {
      code: "pixel.a * alongColor",
      says: "This is the effect on C′ alone. α also reduces T′, the uncovered part for everything behind the blob.",
    },
    {
      code: "pixel.a * (alongColor + ATTENUATION * d.a)",
      says: "A larger α makes T′ smaller, so T̄′ enters with the opposite sign.",
    },
    {
      code: "alongColor - ATTENUATION * d.a",
      says: "Both derivatives have the factor T: the blob acts only on the uncovered part.",
    },
    {
      code: "pixel.a * (alongColor - d.a)",
      says: "This is right in alpha compositing. Where blobs are summed, the attenuation is 0 and α does not reduce T′: multiply T̄′ by it.",
    },
  ],
};
