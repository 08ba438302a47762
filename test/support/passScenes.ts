import type { PipelineName, TrainConfig } from "../../src/engine/config.js";
import { inactiveCenter } from "../../src/engine/training/initialState.js";
import { clampedScene, directScene, type Model, type Scene, scene, sceneOf, setParameter } from "./scenes.js";

/**
 * Returns a scene with blobs on the image's edge and corners, four on top of each other and nearly opaque, inactive ones
 * and, if direct, thin and tilted ones.
 */
export function hardScene(model: Model, overrides: Partial<TrainConfig> = {}, width?: number, height?: number): Scene {
  const job = sceneOf(model, { blobs: 24, seed: 21, ...overrides }, width, height);
  const isDirect = model.parameterization === "direct";
  const [right, bottom] = isDirect ? [job.image.width, job.image.height] : [1, 1];
  const place = (blob: number, x: number, y: number) => {
    setParameter(job, 0, x, blob);
    setParameter(job, 1, y, blob);
  };
  for (let blob = 0; blob < 4; blob++) {
    place(blob, right * (blob % 2 ? 0.02 : 0.98), bottom * (blob < 2 ? 0.03 : 0.5));
    place(4 + blob, right * (0.5 + 0.002 * blob), bottom * (0.5 - 0.001 * blob));
    setParameter(job, 8, isDirect ? 5 : 0.93, 4 + blob);
  }
  if (isDirect) for (const blob of [8, 9]) place(blob, inactiveCenter, inactiveCenter);
  return job;
}

/** Returns scenes besides the hard ones in which a pass is compared with the reference, by description. */
export function passScenes(pipeline: PipelineName): [title: string, job: Scene][] {
  const clamped = { blend: "sum", background: "white" } as const;
  const steep = directScene({ pipeline, blobs: 2 }, 1, 1);
  for (const [field, value] of [0.3, -0.2, 0, 0, 0.5, 900, -500, 200, 0].entries()) setParameter(steep, field, value);
  return [
    ["with tiles of 7x5", scene({ pipeline, tile: "7x5", background: "white", blobs: 24, seed: 6 })],
    ["where each pixel's gradients are clamped", clampedScene(pipeline)],
    ["where each pixel's gradients are clamped, blend sum", clampedScene(pipeline, clamped)],
    ["with large unclamped gradients of direct blobs", steep],
  ];
}
