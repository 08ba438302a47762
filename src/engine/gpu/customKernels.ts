import { type Backend, DeviceLostError, type Pipeline } from "../pipeline.js";
import type { ShaderLibrary } from "../shaders.js";

/** The device was lost while a reader's own kernels ran. It is no reason to run them again. */
export class RunawayError extends Error {
  override name = "RunawayError";
}

interface KernelOptions {
  /** Told once when the device is lost. */
  onLost?: () => void;
  /** Turns after which loops are ended, where the kernels are on trial. */
  maxIterations?: number | undefined;
}

/** A backend whose jobs run a reader's own kernels. One loss of the device ends such a job, since it may be their fault. */
export function withCustomKernels(
  backend: Backend,
  shaders: ShaderLibrary,
  { onLost, maxIterations }: KernelOptions = {},
): Backend {
  // Several questions may be open when it is.
  let isLost = false;
  const reportLoss = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error) => {
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
