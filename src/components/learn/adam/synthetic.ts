import { uniformGenerator } from "../../../engine/blobs.js";
import type { AdamConstants } from "../../../engine/cpu/adam.js";
import { worstGradients } from "./bound.js";

/** Gradients that no picture gave: sequences that show what a rule does. */
export interface SyntheticInput {
  name: string;
  words: string;
  make: (length: number, constants: AdamConstants) => Float64Array;
}

/** As large as many a gradient of the small job is in its first steps. */
const size = 1e-3;

export const syntheticInputs: SyntheticInput[] = [
  {
    name: "steady",
    words: "The same gradient at every step.",
    make: (length) => new Float64Array(length).fill(size),
  },
  {
    name: "noise",
    words: "Gradients of either sign, evenly spread, which cancel in the long run.",
    make: (length) => {
      const random = uniformGenerator(1);
      return Float64Array.from({ length }, () => size * (2 * random() - 1));
    },
  },
  {
    name: "spike",
    words: "One gradient half-way, and none before or after.",
    make: (length) => Float64Array.from({ length }, (_, i) => (i === Math.floor(length / 2) ? size : 0)),
  },
  {
    name: "alternating",
    words: "The sign changes at every step.",
    make: (length) => Float64Array.from({ length }, (_, i) => (i % 2 === 0 ? size : -size)),
  },
  {
    name: "worst case",
    words: "Gradients that grow by β₂/β₁ a step: no other sequence makes the last step longer.",
    make: (length, constants) => worstGradients(length, constants).map((g) => size * g),
  },
];
