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
const patienceWithOthers = 8000;

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
export function checkDrawing(config: TrainConfig, at: Size, limits: AdapterLimits, shaders: ShaderLibrary): void {
  pipelineOf(config);
  checkWorkgroup(config, limits);
  if (config.pipeline === "binned") checkListsFit(config, at, limits, shaders, false);
  checkBuffers(config, at, limits, false);
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
    if (!next) throw new DeviceLostError(`The GPU was lost and does not come back: ${lost.lostBecause}`);
    // One that follows a device that hangs may have to wait for it.
    if (lost.isGivenUp) next.patience = patienceWithOthers;
    current = next;
    return next;
  };
  /** The device, or another one in its place: the same for all that ask meanwhile. */
  const alive = async () => {
    if (current.lostBecause === undefined) return current;
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
    async open(config, image, given, shaders, mostTurns) {
      const gpu = await alive();
      this.check(config, image);
      if (shaders) gpu.patience = patienceWithOthers;
      const state = given ?? initialState(config, image);
      return pipelineOf(config).open(gpu, { config, image, state, shaders, mostTurns });
    },
    async draw({ config, size, parameters, at, shaders, mostTurns }) {
      const gpu = await alive();
      checkDrawing(config, at, gpu.limits, gpu.shaders);
      if (shaders) gpu.patience = patienceWithOthers;
      const renderer = await pipelineOf(config).openRenderer(gpu, { config, size, parameters, shaders, mostTurns });
      try {
        return await renderer.render({ width: at.width, height: at.height });
      } finally {
        await renderer.free();
      }
    },
    async compile(config, shaders) {
      const gpu = await alive();
      const kernels = Object.values(kernelsOf(config, gpu));
      return distinctMessages((await Promise.all(kernels.map((kernel) => gpu.messages(kernel, shaders)))).flat());
    },
  };
}
