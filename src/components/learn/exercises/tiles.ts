import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Tiles and tile lists". */
export const tilesExercise: Exercise = {
  id: "tiles.box",
  title: "Half sides of the box",
  task: "Compute the half sides of the 4σ box as a vec2f, the longer one first, from the eigenvalues of Σ, largest and smallest. DEVIATIONS is 4.",
  file: "shared/bounds.wgsl",
  hides: "DEVIATIONS * sqrt(vec2f(largest, smallest))",
  hint: "An eigenvalue of Σ is a variance, σ², along one axis of the ellipse.",
  reason: "The support ends at 4σ. Along an axis of the ellipse, σ is the root of the eigenvalue.",
  mistakes: [
    {
      code: "DEVIATIONS * vec2f(largest, smallest)",
      says: "An eigenvalue is a variance. The box is measured in standard deviations.",
    },
    {
      code: "sqrt(DEVIATIONS * vec2f(largest, smallest))",
      says: "The root applies to the 4 as well, so this box ends at 2σ and cuts off the blob.",
    },
    {
      code: "DEVIATIONS * sqrt(vec2f(smallest, largest))",
      says: "The axis of the box is the direction of the largest eigenvalue. This box is turned by 90°.",
    },
    {
      code: "DEVIATIONS * sqrt(vec2f(largest, largest))",
      says: "A square box draws the right image, but lists blobs in tiles that they do not reach. The shorter side is from the smallest eigenvalue.",
    },
  ],
};
