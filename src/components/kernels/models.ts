import type { TrainConfig } from "../../engine/config.js";

/** What a blob's numbers mean, and how blobs combine. */
export type Model = Pick<TrainConfig, "parameterization" | "blend">;

/** The models that a page of kernels offers. */
export const models: Model[] = [
  { parameterization: "smoothstep", blend: "over" },
  { parameterization: "direct", blend: "over" },
  { parameterization: "direct", blend: "sum" },
];

export function isModelOf(config: TrainConfig, { parameterization, blend }: Model): boolean {
  return parameterization === config.parameterization && blend === config.blend;
}

/** A model's name: "direct, summed". */
export function modelText({ parameterization, blend }: Model): string {
  return `${parameterization}, ${blend === "sum" ? "summed" : "blended over"}`;
}
