import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Gradients". */
export const gradientsExercise: Exercise = {
  id: "gradients.correlation",
  title: "Adjoint of the correlation",
  task: "Complete ρ̄ = P̄ s (…). dPower is P̄, stretch is s, point is (x, y), blob.correlation is ρ, and powerAt(blob, uv) is P.",
  wgsl: { file: "shared/blob.wgsl", hides: "point.x * point.y + 2.0 * blob.correlation * powerAt(blob, uv)" },
  typescript: {
    file: "model/blob.ts",
    hides: "x * y + 2 * correlation * power",
    task: "Complete ρ̄ = P̄ s (…). dPower is P̄, stretch is s, x and y are the offsets in standard deviations, correlation is ρ, and power is P.",
  },
  hint: "ρ is in P = −½ s (x² − 2ρxy + y²) twice: in the mixed term, and in s, with ds/dρ = 2ρs².",
  reason:
    "The mixed term contributes s x y. The slope of s contributes −½ · 2ρs² (x² − 2ρxy + y²), which is 2ρs P. Together they are s (x y + 2ρP).",
  mistakes: [
    {
      wgsl: "point.x * point.y",
      typescript: "x * y",
      says: "This is the mixed term alone. s = 1 / (1 − ρ²) depends on ρ too.",
    },
    {
      wgsl: "point.x * point.y - 2.0 * blob.correlation * powerAt(blob, uv)",
      typescript: "x * y - 2 * correlation * power",
      says: "The sign of the second term is wrong: P is negative already.",
    },
    {
      wgsl: "point.x * point.y + blob.correlation * powerAt(blob, uv)",
      typescript: "x * y + correlation * power",
      says: "The second term is too small by a factor of 2: the derivative of ρ² is 2ρ.",
    },
  ],
};
