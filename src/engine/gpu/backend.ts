import { type AdapterLimits, checkBuffers, checkWorkgroup, type TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { type Backend, DeviceLostError } from "../pipeline.js";
import { distinctMessages, type ShaderLibrary } from "../shaders.js";
import { initialState } from "../training/initialState.js";
import { checkListsFit } from "./binned/limits.js";
import type { Gpu } from "./device.js";
import { measurePeak } from "./peak.js";
import { kernelsOf, pipelineOf } from "./pipelines.js";

/** Milliseconds that kernels of a reader's own may keep the device busy: browsers allow about ten seconds. */
const customKernelTimeout = 8000;

/**
 * Refuses a job that an adapter cannot hold.
 * @throws ConfigError
 */
export function checkOnGpu(config: TrainConfig, image: Size, limits: AdapterLimits, shaders: ShaderLibrary): void {
  pipelineOf(config);
  checkWorkgroup(config, limits);
  // Lists are the narrower limit, and who goes beyond it is to hear of no wider one first.
  if (config.pipeline === "binned") checkListsFit(config, image, limits, shaders);
  checkBuffers(config, image, limits);
}

/**
 * Refuses a render that an adapter cannot draw.
 * @throws ConfigError
 */
export function checkDrawingOnGpu(
  config: TrainConfig,
  renderSize: Size,
  limits: AdapterLimits,
  shaders: ShaderLibrary,
): void {
  pipelineOf(config);
  checkWorkgroup(config, limits);
  if (config.pipeline === "binned") checkListsFit(config, renderSize, limits, shaders, false);
  checkBuffers(config, renderSize, limits, false);
}

/**
 * Pipelines on a GPU.
 * @param gpu the device to begin with; the backend does not close it
 * @param reopen opens another when that one is lost
 */
export function gpuBackend(gpu: Gpu, reopen: () => Promise<Gpu | undefined>): Backend {
  let current = gpu;
  let reopening: Promise<Gpu> | undefined;
  const replace = async (lost: Gpu) => {
    const next = await reopen().catch(() => undefined);
    if (!next) throw new DeviceLostError(`The GPU was lost and does not come back: ${lost.lostReason}`);
    // One that follows a device that hangs may have to wait for it.
    if (lost.isAbandoned) next.timeout = customKernelTimeout;
    current = next;
    return next;
  };
  /** The device, or another one in its place: the same for all that ask meanwhile. */
  const liveDevice = async () => {
    if (current.lostReason === undefined) return current;
    reopening ??= replace(current).finally(() => {
      reopening = undefined;
    });
    return reopening;
  };
  return {
    get description() {
      return current.description;
    },
    check: (config, image) => checkOnGpu(config, image, current.limits, current.shaders),
    measurePeak: () => measurePeak(current),
    async open(config, image, startState, shaders, maxIterations) {
      const gpu = await liveDevice();
      this.check(config, image);
      if (shaders) gpu.timeout = customKernelTimeout;
      const state = startState ?? initialState(config, image);
      return pipelineOf(config).open(gpu, { config, image, state, shaders, maxIterations });
    },
    async draw({ config, size, parameters, renderSize, shaders, maxIterations: mostTurns }) {
      const gpu = await liveDevice();
      checkDrawingOnGpu(config, renderSize, gpu.limits, gpu.shaders);
      if (shaders) gpu.timeout = customKernelTimeout;
      const renderer = await pipelineOf(config).openRenderer(gpu, {
        config,
        size,
        parameters,
        shaders,
        maxIterations: mostTurns,
      });
      try {
        return await renderer.render({ width: renderSize.width, height: renderSize.height });
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
