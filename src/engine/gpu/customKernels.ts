import { type Backend, DeviceLostError, type Pipeline } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";

/** The device was lost while edited kernels ran, so they should not run again. */
export class RunawayError extends Error {
  override name = "RunawayError";
}

/**
 * Returns a backend that runs edited kernels. A loss of the device ends its jobs, since the kernels may be the cause.
 * @param maxIterations iterations after which loops are ended
 */
export function withCustomKernels(backend: Backend, shaders: ShaderLibrary, maxIterations?: number): Backend {
  const reportLoss = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      if (!(error instanceof DeviceLostError)) throw error;
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
