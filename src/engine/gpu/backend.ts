import { sizeOf } from "../image/image.js";
import { type Backend, DeviceLostError } from "../pipeline.js";
import { distinctMessages } from "../shaders.js";
import { initialState } from "../training/initialState.js";
import { checkOnGpu } from "./checkOnGpu.js";
import type { Gpu } from "./device.js";
import { kernelsOf, pipelineOf } from "./pipelines.js";

/** Milliseconds that edited kernels may keep the device busy: browsers allow about ten seconds. */
const customKernelTimeout = 8000;

/**
 * Returns the backend of the pipelines on a GPU.
 * @param gpu the first device
 * @param reopen opens another device when one is lost
 */
export function gpuBackend(gpu: Gpu, reopen: () => Promise<Gpu | undefined>): Backend & { close(): void } {
  let current = gpu;
  let reopening: Promise<Gpu> | undefined;
  const replace = async (lost: Gpu) => {
    const next = await reopen().catch(() => undefined);
    if (!next) throw new DeviceLostError(`The GPU was lost and could not be reopened: ${lost.lostReason}`);
    // The next device may have to wait for one that hangs.
    if (lost.isAbandoned) next.timeout = customKernelTimeout;
    current = next;
    return next;
  };
  /** Returns the device, or a replacement if it was lost; concurrent calls get the same one. */
  const liveDevice = async () => {
    if (current.lostReason === undefined) return current;
    reopening ??= replace(current).finally(() => {
      reopening = undefined;
    });
    return reopening;
  };
  return {
    close: () => current.close(),
    get description() {
      return current.description;
    },
    check: (config, image) => checkOnGpu(config, image, current.limits),
    async open(config, image, startState, shaders, maxIterations) {
      const gpu = await liveDevice();
      this.check(config, image);
      if (shaders) gpu.timeout = customKernelTimeout;
      const state = startState ?? initialState(config, image);
      return pipelineOf(config).open(gpu, { config, image, state, shaders, maxIterations });
    },
    async draw({ config, size, parameters, renderSize, shaders, maxIterations }) {
      const gpu = await liveDevice();
      checkOnGpu(config, renderSize, gpu.limits, false);
      if (shaders) gpu.timeout = customKernelTimeout;
      const none = new Float32Array();
      const state = { step: 0, parameters, firstMoments: none, secondMoments: none };
      const image = { ...sizeOf(size), data: new Uint8ClampedArray() };
      const job = { config, image, state, draws: true, shaders, maxIterations };
      const renderer = await pipelineOf(config).open(gpu, job);
      try {
        return await renderer.render(sizeOf(renderSize));
      } finally {
        await renderer.free();
      }
    },
    async compile(config, shaders) {
      const gpu = await liveDevice();
      const kernels = Object.values(kernelsOf(config, gpu));
      return distinctMessages((await Promise.all(kernels.map((kernel) => gpu.messages(kernel, shaders)))).flat());
    },
  };
}
