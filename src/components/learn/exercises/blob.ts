import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "One blob, one pixel, one loss". */
export const blobExercise: Exercise = {
  id: "blob.power",
  title: "Exponent of a blob",
  task: "Compute the power, −½ dᵀ Σ⁻¹ d. d.x and d.y are divided by σx and σy, so Σ⁻¹ has 1 on its diagonal and −ρ beside it, all times stretch = 1 / (1 − ρ²). blob.correlation is ρ.",
  wgsl: {
    file: "shared/blob.wgsl",
    hides: "-0.5 * stretch * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
  },
  typescript: {
    file: "model/blob.ts",
    hides: "-0.5 * blob.stretch * (x * x - 2 * blob.correlation * x * y + y * y)",
    task: "Compute the power, −½ dᵀ Σ⁻¹ d with d = (x, y). x and y are divided by σx and σy, so Σ⁻¹ has 1 on its diagonal and −ρ beside it, all times blob.stretch = 1 / (1 − ρ²). blob.correlation is ρ.",
  },
  hint: "The inverse of a matrix with 1 on its diagonal and ρ beside it has 1 on the diagonal and −ρ beside it, all divided by 1 − ρ².",
  reason:
    "The diagonal of Σ⁻¹ gives x² + y², and its two other entries give −ρxy each. All are divided by 1 − ρ², and multiplied by −½.",
  mistakes: [
    {
      wgsl: "-0.5 * stretch * (d.x * d.x + 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
      typescript: "-0.5 * blob.stretch * (x * x + 2 * blob.correlation * x * y + y * y)",
      says: "The blob is tilted to the other side: in the inverse of Σ, ρ has the opposite sign.",
    },
    {
      wgsl: "-0.5 * stretch * (d.x * d.x - blob.correlation * d.x * d.y + d.y * d.y)",
      typescript: "-0.5 * blob.stretch * (x * x - blob.correlation * x * y + y * y)",
      says: "The mixed term is missing a factor: Σ⁻¹ has two entries beside its diagonal.",
    },
    {
      wgsl: "-0.5 * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
      typescript: "-0.5 * (x * x - 2 * blob.correlation * x * y + y * y)",
      says: "The determinant of Σ is missing: the inverse is divided by 1 − ρ².",
    },
    {
      wgsl: "-0.5 * (d.x * d.x + d.y * d.y)",
      typescript: "-0.5 * (x * x + y * y)",
      says: "This ignores ρ, so no blob is tilted: Σ⁻¹ has −ρ beside its diagonal, and the factor 1 / (1 − ρ²).",
    },
  ],
};
