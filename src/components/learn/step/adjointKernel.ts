import type { Composite } from "../../../engine/config.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { jobUniform, modelConstants } from "../../../engine/gpu/pipeline.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { AdjointStage, StageAdjoint } from "./stageAdjoint.js";
import type { StepSample } from "./stepSample.js";

/** The numbers of the stages in shaders/learn/stageAdjoints.wgsl. */
const numbers: Record<Exclude<AdjointStage, "chain">, number> = {
  decode: 0,
  covariance: 1,
  falloff: 2,
  blend: 3,
  undo: 4,
  composite: 5,
  loss: 6,
};

/**
 * A stage's adjoint as the kernels compute it, in float32.
 * @param composite for the stage that composites
 * @returns dL/d(inputs)
 * @throws ShaderError if it does not compile
 */
export async function kernelAdjoint(
  gpu: Gpu,
  sample: StepSample,
  { stage, held }: StageAdjoint,
  x: readonly number[],
  d: readonly number[],
  composite: Composite = sample.config.composite,
): Promise<number[]> {
  const { config, image, blobs, parameters, place, u, v, target } = sample;
  const job = { type: "uniform", contents: jobUniform({ ...config, blobs: blobs.length }, image) } as const;
  const given = (values: readonly number[]) =>
    ({ type: "read-only-storage", contents: Float32Array.from(values) }) as const;
  if (stage === "chain") {
    const raw = Float32Array.from(parameters);
    for (const [field, value] of x.entries()) raw[field * blobs.length + place] = value;
    const left = await runKernel(gpu, {
      file: "learn/onePixel.wgsl",
      constants: { ...modelConstants(config), TILE_WIDTH: 1, TILE_HEIGHT: 1 },
      buffers: {
        0: job,
        2: { type: "read-only-storage", contents: raw },
        3: { type: "storage", contents: raw.byteLength },
        10: given([u, v, ...target]),
      },
    });
    const gradients = new Float32Array(left[3]);
    return x.map((_, field) => gradients[field * blobs.length + place]);
  }
  const left = await runKernel(gpu, {
    file: "learn/stageAdjoints.wgsl",
    constants: { ...modelConstants({ ...config, composite }), STAGE: numbers[stage] },
    buffers: { 0: job, 10: given([...x, ...d, ...held]), 11: { type: "storage", contents: 4 * x.length } },
  });
  return [...new Float32Array(left[11]).subarray(0, x.length)];
}
