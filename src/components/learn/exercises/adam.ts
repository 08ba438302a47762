import type { Exercise } from "./exercise.js";

/** The exercise of the chapter "Adam". */
export const adamExercise: Exercise = {
  id: "adam.epsilon",
  title: "Scale of a step",
  task: "Divide the learning rate, rate, by √v̂ + ε, where v̂ = v / γ₂ and ε is outside of the root. second is v, dispatch.corrections.y is γ₂, and EPSILON is ε.",
  file: "shared/adam.wgsl",
  hides: "rate / (sqrt(second / dispatch.corrections.y) + EPSILON)",
  hint: "ε has the unit of a gradient, like √v̂.",
  reason: "η ÷ (√v̂ + ε): the quotient m̂ ÷ √v̂ has no unit, so the step does not depend on the scale of the gradient.",
  mistakes: [
    {
      code: "rate / sqrt(second / dispatch.corrections.y + EPSILON)",
      says: "Here ε is below the root. It then acts like √ε = 0.0001, which is larger than many gradients.",
    },
    {
      code: "rate / (sqrt(second) + EPSILON)",
      says: "v starts at zero. Without γ₂ it is too small, and the first steps are too long.",
    },
    {
      code: "rate / (second / dispatch.corrections.y + EPSILON)",
      says: "v̂ is a mean of squares. Without its root, the step has the wrong unit.",
    },
    {
      code: "rate / sqrt(second / dispatch.corrections.y) + EPSILON",
      says: "If all gradients of a parameter were 0, so is v̂, and this divides by 0. Add ε to the root first.",
    },
  ],
};
