import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Gradients". */
export const gradientsExercise: Exercise = {
  id: "gradients.correlation",
  title: "Adjoint of the correlation",
  task: "Complete ρ̄ = P̄ s (…). dPower is P̄, stretch is s, point is (x, y), blob.correlation is ρ, and powerAt(blob, uv) is P.",
  file: "shared/blob.wgsl",
  hides: "point.x * point.y + 2.0 * blob.correlation * powerAt(blob, uv)",
  hint: "ρ is in P = −½ s (x² − 2ρxy + y²) twice: in the mixed term, and in s, with ds/dρ = 2ρs².",
  reason:
    "The mixed term contributes s x y. The slope of s contributes −½ · 2ρs² (x² − 2ρxy + y²), which is 2ρs P. Together they are s (x y + 2ρP).",
  mistakes: [
    {
      code: "point.x * point.y",
      says: "This is the mixed term alone. s = 1 / (1 − ρ²) depends on ρ too.",
    },
    {
      code: "point.x * point.y - 2.0 * blob.correlation * powerAt(blob, uv)",
      says: "The sign of the second term is wrong: P is negative already.",
    },
    {
      code: "point.x * point.y + blob.correlation * powerAt(blob, uv)",
      says: "The second term is too small by a factor of 2: the derivative of ρ² is 2ρ.",
    },
  ],
};
