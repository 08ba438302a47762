import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "One blob, one pixel, one loss". */
export const blobExercise: Exercise = {
  id: "blob.power",
  title: "Exponent of a blob",
  task: "Compute the power, −½ dᵀ Σ⁻¹ d. d.x and d.y are divided by σx and σy, so Σ⁻¹ has 1 on its diagonal and −ρ beside it, all times stretch = 1 / (1 − ρ²). blob.correlation is ρ.",
  file: "shared/blob.wgsl",
  hides: "-0.5 * stretch * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
  hint: "The inverse of a matrix with 1 on its diagonal and ρ beside it has 1 on the diagonal and −ρ beside it, all divided by 1 − ρ².",
  reason:
    "The diagonal of Σ⁻¹ gives x² + y², and its two other entries give −ρxy each. All are divided by 1 − ρ², and multiplied by −½.",
  mistakes: [
    {
      code: "-0.5 * stretch * (d.x * d.x + 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
      says: "The blob is tilted to the other side: in the inverse of Σ, ρ has the opposite sign.",
    },
    {
      code: "-0.5 * stretch * (d.x * d.x - blob.correlation * d.x * d.y + d.y * d.y)",
      says: "The mixed term is missing a factor: Σ⁻¹ has two entries beside its diagonal.",
    },
    {
      code: "-0.5 * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
      says: "The determinant of Σ is missing: the inverse is divided by 1 − ρ².",
    },
    {
      code: "-0.5 * (d.x * d.x + d.y * d.y)",
      says: "This ignores ρ, so no blob is tilted: Σ⁻¹ has −ρ beside its diagonal, and the factor 1 / (1 − ρ²).",
    },
  ],
};
