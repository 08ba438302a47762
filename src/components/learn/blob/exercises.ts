import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "One blob, one pixel, one loss". */
export const blobExercises: readonly Exercise[] = [
  {
    id: "blob.power",
    title: "Exponent of a blob",
    task: "Compute the power, −½ dᵀ Σ⁻¹ d. d.x and d.y are already divided by σx and σy. In these units Σ has 1 on its diagonal and ρ beside it. Σ⁻¹ has 1 on its diagonal and −ρ beside it, all times stretch = 1 / (1 − ρ²). blob.correlation is ρ.",
    wgsl: {
      file: "shared/blob.wgsl",
      hides: "-0.5 * stretch * (d.x * d.x - 2.0 * blob.correlation * d.x * d.y + d.y * d.y)",
    },
    typescript: {
      file: "model/blob.ts",
      hides: "-0.5 * blob.stretch * (x * x - 2 * blob.correlation * x * y + y * y)",
      task: "Compute the power, −½ dᵀ Σ⁻¹ d with d = (x, y). x and y are already divided by σx and σy. In these units Σ has 1 on its diagonal and ρ beside it. Σ⁻¹ has 1 on its diagonal and −ρ beside it, all times blob.stretch = 1 / (1 − ρ²). blob.correlation is ρ.",
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
  },
  {
    id: "blob.support",
    title: "Edge of the support",
    task: "Return the falloff: e to the power on the blob's support, and 0 outside. At the edge of the support, the power is LOWEST_POWER = −8. select(a, b, condition) is b where the condition holds, else a.",
    wgsl: {
      file: "shared/blob.wgsl",
      hides: "select(0.0, exp(power), power >= LOWEST_POWER)",
    },
    typescript: {
      file: "model/blob.ts",
      hides: "power >= lowestPower ? Math.exp(power) : 0",
      task: "Return the falloff: e to the power on the blob's support, and 0 outside. At the edge of the support, the power is lowestPower = −8.",
    },
    hint: "The power is negative, and it falls with the distance. At 4σ it is −8.",
    reason: "Inside the 4σ ellipse the power is at least −½ · 4² = −8. Outside, the blob contributes nothing.",
    mistakes: [
      {
        wgsl: "select(exp(power), 0.0, power >= LOWEST_POWER)",
        typescript: "power >= lowestPower ? 0 : Math.exp(power)",
        says: "This is 0 inside the support, where the blob should be visible. Check the condition and the names in it.",
      },
      {
        wgsl: "select(0.0, exp(-power), power >= LOWEST_POWER)",
        typescript: "power >= lowestPower ? Math.exp(-power) : 0",
        says: "The blob grows with the distance: the power is negative already.",
      },
      {
        wgsl: "select(0.0, exp(power), power >= 0.5 * LOWEST_POWER)",
        typescript: "power >= 0.5 * lowestPower ? Math.exp(power) : 0",
        says: "The support ends too early: at 4σ the power is −½ · 4² = −8.",
      },
      {
        wgsl: "exp(power)",
        typescript: "Math.exp(power)",
        says: "Outside of 4σ, this blob is faint, but not 0.",
      },
    ],
  },
  {
    id: "blob.opacity",
    title: "Slope along the opacity",
    task: "Compute ∂L/∂o, the slope of the loss along the opacity o (not along its logit). dAlpha is ∂L/∂α, with 0 where α has reached its limit, HIGHEST_ALPHA = 0.99. Below the limit, α is o times the falloff.",
    wgsl: {
      file: "shared/blob.wgsl",
      hides: "dAlpha * falloff",
    },
    typescript: {
      file: "model/blob.ts",
      hides: "d * falloff",
      task: "Compute ∂L/∂o, the slope of the loss along the opacity o (not along its logit). d is ∂L/∂α, with 0 where α has reached its limit, blob.ceiling = 0.99. Below the limit, α is o times the falloff.",
    },
    hint: "By the chain rule, it is the slope along α times the derivative of α with respect to o.",
    reason: "α is proportional to o, with the falloff as the factor. So ∂α/∂o is the falloff, whatever o is.",
    mistakes: [
      {
        wgsl: "dAlpha * blob.opacity",
        typescript: "d * blob.opacity",
        says: "That is the slope along the falloff: the derivative of a product with respect to one factor is the other.",
      },
      {
        wgsl: "dAlpha * alpha",
        typescript: "d * alpha",
        says: "α contains the opacity itself. The derivative with respect to the opacity does not.",
      },
      {
        wgsl: "dAlpha",
        typescript: "d",
        says: "Away from the centre, a change of the opacity changes α by less: by the falloff there.",
      },
      {
        wgsl: "d.a * falloff",
        typescript: "dAlpha * falloff",
        says: "Where α is at its limit, 0.99, a change of the opacity does not change it. The slope is 0 there.",
      },
      {
        wgsl: "dAlpha * falloff * blob.opacity * (1.0 - blob.opacity)",
        typescript: "d * falloff * blob.opacity * (1 - blob.opacity)",
        says: "This is the slope along the logit of the opacity. The slope of decoding is multiplied later, by other code.",
      },
    ],
  },
];
