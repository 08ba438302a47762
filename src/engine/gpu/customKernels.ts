import { type Backend, DeviceLostError, type Pipeline } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";

/** The device was lost while edited kernels ran, so they should not run again. */
export class RunawayError extends Error {
  override name = "RunawayError";
}

interface KernelOptions {
  /** Called once when the device is lost. */
  onLost?: () => void;
  /** Iterations after which loops are ended. */
  maxIterations?: number | undefined;
}

/**
 * Returns a backend that runs edited kernels. A loss of the device ends its jobs, since the kernels may be the cause.
 */
export function withCustomKernels(
  backend: Backend,
  shaders: ShaderLibrary,
  { onLost, maxIterations }: KernelOptions = {},
): Backend {
  // Several calls may fail at once.
  let isLost = false;
  const reportLoss = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      if (!(error instanceof DeviceLostError)) throw error;
      if (!isLost) onLost?.();
      isLost = true;
      throw new RunawayError(`The device was lost while the edited kernels ran. ${error.message}`);
    });
  const withLossReports = (pipeline: Pipeline): Pipeline =>
    new Proxy(pipeline, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => reportLoss(member.apply(target, args));
      },
    });
  return {
    get description() {
      return backend.description;
    },
    check: (config, image) => backend.check(config, image),
    open: async (config, image, state) =>
      withLossReports(await reportLoss(backend.open(config, image, state, shaders, maxIterations))),
    draw: (job) => reportLoss(backend.draw({ ...job, shaders, maxIterations })),
  };
}
