import type { TrainConfig } from "../../engine/config.js";

/** The meaning of a blob's parameters, and how blobs combine. */
export type Model = Pick<TrainConfig, "parameterization" | "blend">;

/** The models that the kernel page offers. */
export const models: Model[] = [
  { parameterization: "smoothstep", blend: "over" },
  { parameterization: "direct", blend: "over" },
  { parameterization: "direct", blend: "sum" },
];

export function isModelOf(config: TrainConfig, { parameterization, blend }: Model): boolean {
  return parameterization === config.parameterization && blend === config.blend;
}

/** Returns a model's label, such as "direct, summed". */
export function modelText({ parameterization, blend }: Model): string {
  return `${parameterization}, ${blend === "sum" ? "summed" : "blended over"}`;
}
