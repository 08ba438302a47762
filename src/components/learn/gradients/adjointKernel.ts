import type { Gpu } from "../../../engine/gpu/device.js";
import { jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import { adjointStages, type StageAdjoint } from "./stageAdjoint.js";

/**
 * Computes the adjoint of a stage with the kernels, in float32.
 * @returns dL/d(inputs)
 * @throws ShaderError if it does not compile
 */
export async function kernelAdjoint(
  gpu: Gpu,
  { stage, sample, background, incoming, fixedInputs = [] }: StageAdjoint,
  x: readonly number[],
): Promise<number[]> {
  const { config, image, part, place, u, v, target } = sample;
  const { length } = part.blobs;
  const job = jobUniform(gpu.shaders, { ...config, blobs: length }, image);
  if (stage === "chain") {
    const raw = Float32Array.from(part.parameters);
    for (const [field, value] of x.entries()) raw[field * length + place] = value;
    const buffers = await runKernel(gpu, {
      file: "learn/onePixel.wgsl",
      constants: { ...modelConstants(config), TILE_WIDTH: 1, TILE_HEIGHT: 1 },
      buffers: { job, parameters: raw, gradients: raw.byteLength, given: Float32Array.of(u, v, ...target) },
    });
    const gradients = new Float32Array(buffers.gradients);
    return x.map((_, field) => gradients[field * length + place]);
  }
  const results = await runKernel(gpu, {
    file: "learn/stageAdjoints.wgsl",
    constants: { ...modelConstants({ ...config, background }), STAGE: adjointStages.indexOf(stage) },
    buffers: { job, given: Float32Array.of(...x, ...incoming, ...fixedInputs), adjoint: 4 * x.length },
  });
  return [...new Float32Array(results.adjoint).subarray(0, x.length)];
}
