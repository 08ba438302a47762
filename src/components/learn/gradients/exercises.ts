import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Gradients". */
export const gradientsExercises: readonly Exercise[] = [
  {
    id: "gradients.slope",
    title: "Slope of the smoothstep",
    task: "Compute the slope S′(y). t is y, clamped to 0..1, and S(y) = 3t² − 2t³.",
    wgsl: { file: "shared/smoothstep.wgsl", hides: "6.0 * t * (1.0 - t)" },
    typescript: { file: "model/blob.ts", hides: "6 * t * (1 - t)" },
    hint: "Differentiate the polynomial in t. Outside of 0..1 the clamped t is 0 or 1, where the slope has to be zero.",
    reason: "The derivative of 3t² − 2t³ is 6t − 6t² = 6t (1 − t). It is zero at both ends, where the clamp begins.",
    mistakes: [
      {
        wgsl: "6.0 * t - 2.0 * t * t",
        typescript: "6 * t - 2 * t * t",
        says: "The derivative of 2t³ is 6t².",
      },
      {
        wgsl: "t * (1.0 - t)",
        typescript: "t * (1 - t)",
        says: "The form is right, but a factor is missing.",
      },
      {
        wgsl: "6.0 * y * (1.0 - y)",
        typescript: "6 * y * (1 - y)",
        says: "Outside of 0..1, S is constant and its slope is 0. With y instead of the clamped t, it is not.",
      },
      {
        wgsl: "2.0 * t * (3.0 - 2.0 * t)",
        typescript: "2 * t * (3 - 2 * t)",
        says: "This is half of the product rule: in t² (3 − 2t), the second factor depends on t too.",
      },
    ],
  },
  {
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
  },
  {
    id: "gradients.background",
    title: "Adjoint of the transmittance over the background",
    task: "Compute T̄ for the background original, q = C (1 − T) + T. d is q̄, and pixel.rgb is C. dot(a, b) is a · b.",
    wgsl: { file: "shared/loss.wgsl", hides: "dot(d, 1.0 - pixel.rgb)" },
    typescript: {
      file: "model/blend.ts",
      hides: "errorRed * (1 - state.red) + errorGreen * (1 - state.green) + errorBlue * (1 - state.blue)",
      task: "Compute the sum over the channels of the error times ∂q/∂T, for the background original, q = C (1 − T) + T. The errors are errorRed, errorGreen and errorBlue, and C is in state.red, state.green and state.blue. The code multiplies the sum by 2 / (W H) afterwards, which gives T̄.",
    },
    hint: "T is in each channel of q. Add up the three derivatives, each times the adjoint of its channel.",
    reason: "∂q/∂T = 1 − C in each channel, and the chain rule adds up the channels: T̄ = q̄ · (1 − C).",
    mistakes: [
      {
        wgsl: "d.r + d.g + d.b",
        typescript: "errorRed + errorGreen + errorBlue",
        says: "This is the adjoint over white, q = C + T. Here T also reduces C (1 − T).",
      },
      {
        wgsl: "dot(d, pixel.rgb - 1.0)",
        typescript: "errorRed * (state.red - 1) + errorGreen * (state.green - 1) + errorBlue * (state.blue - 1)",
        says: "The sign is wrong: more of the white background makes q larger.",
      },
      {
        wgsl: "-dot(d, pixel.rgb)",
        typescript: "-(errorRed * state.red + errorGreen * state.green + errorBlue * state.blue)",
        says: "This is the effect through C (1 − T) alone. The second term is T itself.",
      },
      {
        wgsl: "dot(vec3f(1.0), 1.0 - pixel.rgb)",
        typescript: "1 - state.red + 1 - state.green + 1 - state.blue",
        says: "These are the derivatives of q alone. Each has to be multiplied by the adjoint of its channel.",
      },
    ],
  },
];
