import type { TrainConfig } from "../../../engine/config.js";
import { atomicKernels } from "../../../engine/gpu/atomic.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { bind } from "../../../engine/gpu/kernel.js";
import { GpuMemory } from "../../../engine/gpu/memory.js";
import { dispatchUniform, jobUniform } from "../../../engine/gpu/uniforms.js";
import type { Size } from "../../../engine/image/image.js";
import { adamConstants } from "../../../engine/model/adam.js";
import { parameterCount } from "../../../engine/model/blobs.js";
import { largestDifference } from "../largest.js";
import { scientificText } from "./adamTable.js";
import type { TrainedRun } from "./recordedTraining.js";
import { recordedInput, replay } from "./replay.js";
import { isAdam, type RuleSettings, rules } from "./rules.js";

/** Bytes between the gradients of two steps: WebGPU's default alignment of storage bindings. */
const stride = 256;

/**
 * Runs the training kernel shaders/shared/updateBlobs.wgsl on recorded gradients of one blob, a dispatch per step.
 * @param start nine raw parameters before the first step
 * @param gradients nine per step
 * @returns nine raw parameters after each step
 * @throws ShaderError if the kernel does not compile
 */
export async function replayOnGpu(
  gpu: Gpu,
  config: TrainConfig,
  image: Size,
  start: Float32Array,
  gradients: readonly Float32Array[],
): Promise<Float32Array[]> {
  const oneBlobConfig: TrainConfig = { ...config, blobs: 1 };
  const { file, constants } = atomicKernels(oneBlobConfig).updateBlobs;
  const kernel = await gpu.kernel(file, constants);
  const memory = new GpuMemory(gpu);
  const steps = gradients.length;
  const bytes = 4 * parameterCount;
  try {
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const paddedGradients = new Float32Array((stride / 4) * steps);
    for (const [t, gradient] of gradients.entries()) paddedGradients.set(gradient, (stride / 4) * t);
    const ranges = Array.from({ length: steps }, (_, t) => ({ size: image, first: 0, end: 1, step: t + 1 }));
    const job = memory.buffer("job", GPUBufferUsage.UNIFORM, jobUniform(gpu.shaders, oneBlobConfig, image));
    const dispatchBuffer = memory.buffer(
      "dispatch",
      GPUBufferUsage.UNIFORM,
      dispatchUniform(gpu.shaders, ranges, oneBlobConfig),
    );
    const parameters = memory.buffer("parameters", storage, start);
    const gradientBuffer = memory.buffer("gradients", storage, paddedGradients);
    const resources: Record<string, GPUBufferBinding> = {
      job: { buffer: job },
      dispatch: { buffer: dispatchBuffer, size: gpu.struct("Dispatch").bytes },
      parameters: { buffer: parameters },
      firstMoments: { buffer: memory.buffer("firstMoments", storage, bytes) },
      secondMoments: { buffer: memory.buffer("secondMoments", storage, bytes) },
    };
    const log = memory.buffer("log", storage, bytes * steps);
    const submit = () => {
      const encoder = gpu.device.createCommandEncoder();
      for (let t = 0; t < steps; t++) {
        const gradient = { buffer: gradientBuffer, offset: stride * t, size: bytes };
        const group = bind(gpu.device, kernel, (name) => (name === "gradients" ? gradient : resources[name]));
        const pass = encoder.beginComputePass();
        pass.setPipeline(kernel.pipeline);
        pass.setBindGroup(0, group, [stride * t]);
        pass.dispatchWorkgroups(1);
        pass.end();
        encoder.copyBufferToBuffer(parameters, 0, log, bytes * t, bytes);
      }
      gpu.device.queue.submit([encoder.finish()]);
    };
    const allParameters = await memory.errors.report(async () => {
      memory.errors.within(submit);
      return new Float32Array(await memory.read(log));
    });
    return gradients.map((_, t) => allParameters.slice(parameterCount * t, parameterCount * (t + 1)));
  } finally {
    memory.free();
  }
}

/** Runs the kernel on the recorded gradients of a blob; returns a sentence on its difference from the float32 reference. */
export async function compareWithReference(
  gpu: Gpu,
  run: TrainedRun,
  kept: number,
  settings: RuleSettings,
): Promise<string> {
  const ofBlob = (allParameters: Float32Array) => allParameters.filter((_, slot) => slot % run.kept.length === kept);
  const gradients = run.gradients.map(ofBlob);
  const differences: string[] = [];
  for (const rule of rules.filter(isAdam)) {
    const config: TrainConfig = { ...run.config, biasCorrection: rule, learningRate: settings.rate };
    const kernelParameters = await replayOnGpu(gpu, config, run.image, ofBlob(run.parameters[0]), gradients);
    let largest = 0;
    for (let field = 0; field < parameterCount; field++) {
      const { gradients, start, rateAt } = recordedInput(run, kept, field, settings);
      const rates = { rule, rateAt: (t: number) => rateAt(rule, t) };
      const options = { ...rates, constants: adamConstants, precision: Float32Array };
      const { parameters } = replay(gradients, start, options);
      const ofKernel = kernelParameters.map((values) => values[field]);
      largest = Math.max(largest, largestDifference(ofKernel, parameters));
    }
    differences.push(`${scientificText(largest)} with ${rule} correction`);
  }
  return `The kernel, shaders/shared/updateBlobs.wgsl, ran on these ${gradients.length} gradients of all nine parameters of the blob on ${gpu.description}. It differs from the CPU reference by at most ${differences.join(" and ")}.`;
}
