import type { Exercise } from "../exercises/exercise.js";

/** The exercises of the chapter "Undoing the blend". */
export const undoExercises: readonly Exercise[] = [
  {
    id: "undo.transmittance",
    title: "Transmittance before a blob",
    task: "Compute the transmittance before the blob from the transmittance after it.",
    wgsl: { file: "shared/blend.wgsl", hides: "pixel.a / (1.0 - ATTENUATION * blob.a)" },
    typescript: { file: "model/blend.ts", hides: "state.transmittance /= 1 - attenuation * alpha;" },
    hint: "The forward pass multiplied the transmittance by 1 − α (times the attenuation, which is 1 here).",
    reason: "T′ = T (1 − α), so T = T′ / (1 − α). α is at most 0.99, which keeps the quotient finite.",
    mistakes: [
      {
        wgsl: "pixel.a * (1.0 - ATTENUATION * blob.a)",
        typescript: "state.transmittance *= 1 - attenuation * alpha;",
        says: "This attenuates the light a second time. Going backward, the blob has to be removed.",
      },
      {
        wgsl: "pixel.a / blob.a",
        typescript: "state.transmittance /= alpha;",
        says: "The light that passes a blob is 1 − α, not α.",
      },
    ],
  },
];
