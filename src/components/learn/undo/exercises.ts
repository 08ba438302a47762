import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Undoing the blend". */
export const undoExercises: readonly Exercise[] = [
  {
    id: "undo.transmittance",
    title: "Transmittance before a blob",
    task: "Compute the transmittance before the blob from the transmittance after it. pixel.a is T′, and blob.a is α. Write ATTENUATION · α for α: ATTENUATION is 1 in alpha compositing, and 0 where blobs are summed.",
    wgsl: { file: "shared/blend.wgsl", hides: "pixel.a / (1.0 - ATTENUATION * blob.a)" },
    typescript: {
      file: "model/blend.ts",
      hides: "state.transmittance /= 1 - attenuation * alpha;",
      task: "Change state.transmittance, T′, to the transmittance before the blob. Write attenuation · alpha for α: attenuation is 1 in alpha compositing, and 0 where blobs are summed.",
    },
    hint: "The forward pass multiplied the transmittance by 1 − α (times the attenuation, which is 1 here).",
    reason: "T′ = T (1 − α), so T = T′ / (1 − α). α is at most 0.99, which keeps the quotient finite.",
    mistakes: [
      {
        wgsl: "pixel.a * (1.0 - ATTENUATION * blob.a)",
        typescript: "state.transmittance *= 1 - attenuation * alpha;",
        says: "This covers the pixel a second time. Going backward, the blob has to be removed.",
      },
      {
        wgsl: "pixel.a / blob.a",
        typescript: "state.transmittance /= alpha;",
        says: "A blob leaves the fraction 1 − α uncovered, not α.",
      },
      {
        wgsl: "pixel.a * (1.0 + ATTENUATION * blob.a)",
        typescript: "state.transmittance *= 1 + attenuation * alpha;",
        says: "This adds the fraction α of T′. The blob took the fraction α of T, which is more: divide by 1 − α.",
      },
      {
        wgsl: "pixel.a / (1.0 - blob.a)",
        typescript: "state.transmittance /= 1 - alpha;",
        says: "This is right in alpha compositing. Where blobs are summed, the attenuation is 0 and T stays 1: multiply α by it.",
      },
    ],
  },
  {
    id: "undo.alpha",
    title: "Adjoint of α",
    task: "Compute the adjoint of α. pixel.a is T before the blob, d.a is T̄′, and alongColor is C̄′ · c. The blob reduces T to T′ = T (1 − ATTENUATION · α), where ATTENUATION is 1 in alpha compositing, and 0 where blobs are summed.",
    wgsl: { file: "shared/blend.wgsl", hides: "pixel.a * (alongColor - ATTENUATION * d.a)" },
    typescript: {
      file: "model/blend.ts",
      hides: "before.transmittance * (alongColor - attenuation * d.transmittance)",
      task: "Compute the adjoint of α. before.transmittance is T before the blob, d.transmittance is T̄′, and alongColor is C̄′ · c. The blob reduces T to T′ = T (1 − attenuation · α), where attenuation is 1 in alpha compositing, and 0 where blobs are summed.",
    },
    hint: "α is in two results: C′ = C + α T c and T′ = T (1 − α). Each contributes its adjoint times its derivative.",
    reason:
      "∂C′/∂α = T c and ∂T′/∂α = −T. By the chain rule, ᾱ = T (C̄′ · c) − T T̄′: the blob adds its own colour and covers more of all that is behind it.",
    mistakes: [
      {
        wgsl: "pixel.a * alongColor",
        typescript: "before.transmittance * alongColor",
        says: "This is the effect on C′ alone. α also reduces T′, the uncovered part for everything behind the blob.",
      },
      {
        wgsl: "pixel.a * (alongColor + ATTENUATION * d.a)",
        typescript: "before.transmittance * (alongColor + attenuation * d.transmittance)",
        says: "A larger α makes T′ smaller, so T̄′ enters with the opposite sign.",
      },
      {
        wgsl: "alongColor - ATTENUATION * d.a",
        typescript: "alongColor - attenuation * d.transmittance",
        says: "Both derivatives have the factor T: the blob acts only on the uncovered part.",
      },
      {
        wgsl: "pixel.a * (alongColor - d.a)",
        typescript: "before.transmittance * (alongColor - d.transmittance)",
        says: "This is right in alpha compositing. Where blobs are summed, the attenuation is 0 and α does not reduce T′: multiply T̄′ by it.",
      },
    ],
  },
  {
    id: "undo.passed",
    title: "Adjoint for the blob in front",
    task: "Compute T̄, the adjoint of the transmittance before the blob. blob.a is α, d.a is T̄′, and alongColor is C̄′ · c. ATTENUATION is 1 here, and may be left out.",
    wgsl: {
      file: "shared/blend.wgsl",
      hides: "d.a * (1.0 - ATTENUATION * blob.a) + blob.a * alongColor",
    },
    typescript: {
      file: "model/blend.ts",
      hides: "d.transmittance * (1 - attenuation * alpha) + alpha * alongColor",
      task: "Compute T̄, the adjoint of the transmittance before the blob. d.transmittance is T̄′, and alongColor is C̄′ · c. attenuation is 1 here, and may be left out.",
    },
    hint: "Of the uncovered part, the fraction α takes the colour of the blob, and the rest stays uncovered.",
    reason:
      "∂C′/∂T = α c and ∂T′/∂T = 1 − α, so T̄ = (1 − α) T̄′ + α (C̄′ · c). The backward pass goes from the last blob to the first, so T̄ contains the colours behind each blob. Where blobs are summed, nothing uses T̄.",
    mistakes: [
      {
        wgsl: "d.a * (1.0 - ATTENUATION * blob.a)",
        typescript: "d.transmittance * (1 - attenuation * alpha)",
        says: "T is also in C′ = C + α T c: the part that this blob covers is missing.",
      },
      {
        wgsl: "d.a + blob.a * alongColor",
        typescript: "d.transmittance + alpha * alongColor",
        says: "Only the fraction 1 − α stays uncovered.",
      },
      {
        wgsl: "d.a / (1.0 - ATTENUATION * blob.a) + blob.a * alongColor",
        typescript: "d.transmittance / (1 - attenuation * alpha) + alpha * alongColor",
        says: "The undo divides the value T′ by 1 − α. An adjoint is multiplied by the derivative, which is 1 − α.",
      },
      {
        wgsl: "d.a * (1.0 - ATTENUATION * blob.a) + blob.a * pixel.a * alongColor",
        typescript: "d.transmittance * (1 - attenuation * alpha) + weight * alongColor",
        says: "The derivative of αTc with respect to T is αc: it does not contain T.",
      },
    ],
  },
];
