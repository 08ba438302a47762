import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Adam". */
export const adamExercises: readonly Exercise[] = [
  {
    id: "adam.second",
    title: "Second moment",
    task: "Update v, the running mean of the squared gradient. state.second is its previous value.",
    wgsl: { file: "shared/adam.wgsl", hides: "BETA_2 * state.second + (1.0 - BETA_2) * gradient * gradient" },
    typescript: {
      file: "model/adam.ts",
      hides: "beta2 * secondMoments[slot] + (1 - beta2) * gradient * gradient",
      task: "Update v, the running mean of the squared gradient. secondMoments[slot] is its previous value.",
    },
    hint: "The line above is the running mean of the gradient. v has another β, and the square.",
    reason: "v ← β₂ v + (1 − β₂) g². The weights add up to 1, so v is a mean; with β₂ = 0.999 it changes slowly.",
    mistakes: [
      {
        wgsl: "BETA_2 * state.second + (1.0 - BETA_2) * gradient",
        typescript: "beta2 * secondMoments[slot] + (1 - beta2) * gradient",
        says: "This is a second mean of the gradient. It can be negative, and then has no square root.",
      },
      {
        wgsl: "BETA_2 * state.second + gradient * gradient",
        typescript: "beta2 * secondMoments[slot] + gradient * gradient",
        says: "The weights β₂ and 1 do not add up to 1: this is a sum and not a mean.",
      },
      {
        wgsl: "BETA_2 * state.second + (1.0 - BETA_2) * first * first",
        typescript: "beta2 * secondMoments[slot] + (1 - beta2) * m * m",
        says: "This averages the squares of m. Where the sign of the gradient alternates, m is small, but v must not be.",
      },
      {
        wgsl: "BETA_1 * state.second + (1.0 - BETA_1) * gradient * gradient",
        typescript: "beta1 * secondMoments[slot] + (1 - beta1) * gradient * gradient",
        says: "β₁ is for the first moment. With it, v follows the last gradients too fast, and does not fit γ₂.",
      },
    ],
  },
  {
    id: "adam.epsilon",
    title: "Scale of a step",
    task: "Divide the learning rate, rate, by √v̂ + ε, where v̂ = v / γ₂ and ε is outside of the root. second is v, and dispatch.corrections.y is γ₂.",
    wgsl: { file: "shared/adam.wgsl", hides: "rate / (sqrt(second / dispatch.corrections.y) + EPSILON)" },
    typescript: {
      file: "model/adam.ts",
      hides: "rate / (Math.sqrt(v / correction2) + epsilon)",
      task: "Divide the learning rate, rate, by √v̂ + ε, where v̂ = v / γ₂ and ε is outside of the root. correction2 is γ₂.",
    },
    hint: "ε has the unit of a gradient, like √v̂.",
    reason: "η ÷ (√v̂ + ε): the quotient m̂ ÷ √v̂ has no unit, so the step does not depend on the scale of the gradient.",
    mistakes: [
      {
        wgsl: "rate / sqrt(second / dispatch.corrections.y + EPSILON)",
        typescript: "rate / Math.sqrt(v / correction2 + epsilon)",
        says: "Here ε is below the root. It then acts like √ε = 0.0001, which is larger than many gradients.",
      },
      {
        wgsl: "rate / (sqrt(second) + EPSILON)",
        typescript: "rate / (Math.sqrt(v) + epsilon)",
        says: "v starts at zero. Without γ₂ it is too small, and the first steps are too long.",
      },
      {
        wgsl: "rate / (second / dispatch.corrections.y + EPSILON)",
        typescript: "rate / (v / correction2 + epsilon)",
        says: "v̂ is a mean of squares. Without its root, the step has the wrong unit.",
      },
      {
        wgsl: "rate / sqrt(second / dispatch.corrections.y) + EPSILON",
        typescript: "rate / Math.sqrt(v / correction2) + epsilon",
        says: "If all gradients of a parameter were 0, so is v̂, and this divides by 0. Add ε to the root first.",
      },
    ],
  },
  {
    id: "adam.update",
    title: "Update of a parameter",
    task: "Return the raw parameter after the step. state.parameter is its value before, step is η ÷ (√v̂ + ε), first is m, and dispatch.corrections.x is γ₁.",
    wgsl: { file: "shared/adam.wgsl", hides: "state.parameter - step * (first / dispatch.corrections.x)" },
    typescript: {
      file: "model/adam.ts",
      hides: "-= (rate / (Math.sqrt(v / correction2) + epsilon)) * (m / correction1);",
      task: "Change the raw parameter by Adam’s step, with rate (η), m, v, correction1 (γ₁), correction2 (γ₂) and epsilon.",
    },
    hint: "The step goes against the corrected mean m̂ = m ÷ γ₁.",
    reason: "θ ← θ − η m̂ ÷ (√v̂ + ε). The mean m̂, and not the last gradient, sets the direction.",
    mistakes: [
      {
        wgsl: "state.parameter + step * (first / dispatch.corrections.x)",
        typescript: "+= (rate / (Math.sqrt(v / correction2) + epsilon)) * (m / correction1);",
        says: "This goes up the slope: the loss grows.",
      },
      {
        wgsl: "state.parameter - step * first",
        typescript: "-= (rate / (Math.sqrt(v / correction2) + epsilon)) * m;",
        says: "m starts at zero. Without γ₁, the first step has a tenth of its length.",
      },
      {
        wgsl: "state.parameter - step * gradient",
        typescript: "-= (rate / (Math.sqrt(v / correction2) + epsilon)) * gradient;",
        says: "The first step is right, the later ones are not: they follow the last gradient instead of the mean.",
      },
      {
        typescript: "-= (rate / (Math.sqrt(v) + epsilon)) * m;",
        says: "m and v start at 0. Without both corrections, v̂ is far too small in the first steps, and the steps are too long.",
      },
      {
        typescript: "-= rate * gradient;",
        says: "Without the division by √v̂, the steps depend on the scale of the gradient.",
      },
    ],
  },
];
