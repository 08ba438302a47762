import { composeShader, locate, locateFromMessage, type ShaderLibrary, type ShaderMessage } from "../shaders.js";
import { type BoundedShader, boundLoops, endedLoops } from "./boundLoops.js";
import type { DeclaredBinding } from "./declarations.js";
import { dispatchName, type Kernel, type KernelSource } from "./kernel.js";
import { bindingsOf } from "./reachability.js";

/** The result of a compilation: a kernel, unless there are errors. */
interface Compiled {
  kernel: Kernel | undefined;
  messages: ShaderMessage[];
}

/** Size of the cache, limited because every edit compiles more kernels. */
const maxCachedKernels = 128;

const bufferTypes = { uniform: "uniform", read: "read-only-storage", read_write: "storage" } as const;

/** Compiles and caches the kernels of a device. */
export class Compiler {
  /** Least recently used first. */
  readonly #kernels = new Map<string, Promise<Compiled>>();

  /**
   * @param shipped the kernels of the project, which define the buffers also of edited kernels
   * @param checkAlive throws if the device is gone
   */
  constructor(
    readonly device: GPUDevice,
    readonly shipped: ShaderLibrary,
    readonly checkAlive: () => void,
  ) {}

  /**
   * Returns a compiled kernel, from the cache if possible.
   * @param maxIterations iterations after which loops are ended, for edited kernels
   */
  compile(source: KernelSource, shaders: ShaderLibrary, maxIterations?: number): Promise<Compiled> {
    const { file } = source;
    const plain = composeShader(shaders, file);
    const composed = maxIterations === undefined ? { ...plain, loops: [] } : boundLoops(plain, maxIterations);
    // The others do not change it.
    const isDeclared = (name: string) => new RegExp(`\\boverride\\s+${name}\\b`).test(plain.code);
    const constants = Object.entries(source.constants).filter(([name]) => isDeclared(name));
    // The text itself, since libraries may differ in it.
    const key = JSON.stringify([file, constants, composed.code]);
    const compileNew = () => {
      const bindings = bindingsOf(this.shipped.has(file) ? this.shipped : shaders, file);
      return this.#compile(file, bindings, composed, Object.fromEntries(constants), maxIterations);
    };
    const compiled = this.#kernels.get(key) ?? compileNew();
    this.#kernels.delete(key);
    this.#kernels.set(key, compiled);
    compiled.catch(() => this.#kernels.delete(key));
    if (this.#kernels.size > maxCachedKernels) this.#kernels.delete(this.#kernels.keys().next().value!);
    return compiled;
  }

  async #compile(
    name: string,
    bindings: DeclaredBinding[],
    composed: BoundedShader,
    constants: Record<string, number>,
    maxIterations: number | undefined,
  ): Promise<Compiled> {
    this.device.pushErrorScope("validation");
    const module = this.device.createShaderModule({ label: name, code: composed.code });
    const layout = this.device.createBindGroupLayout({
      label: name,
      entries: bindings.map(({ binding, name, access }) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type: bufferTypes[access], hasDynamicOffset: name === dispatchName },
      })),
    });
    const { loops } = composed;
    const bindGroupLayouts = loops.length > 0 ? [layout, this.#markLayout()] : [layout];
    const pipeline = this.device.createComputePipelineAsync({
      label: name,
      layout: this.device.createPipelineLayout({ bindGroupLayouts }),
      compute: { module, entryPoint: "main", constants },
    });
    const invalid = this.device.popErrorScope();
    const [info, pipelineOrError] = await Promise.all([module.getCompilationInfo(), catchError(pipeline), invalid]);
    this.checkAlive();
    const messages = locate(info.messages, name, composed);
    if (!(pipelineOrError instanceof Error)) {
      const kernel = { name, pipeline: pipelineOrError, layout, bindings, loops, maxIterations };
      return { kernel, messages };
    }
    const hasErrors = messages.some(({ type }) => type === "error");
    return {
      kernel: undefined,
      messages: hasErrors ? messages : [...messages, locateFromMessage(pipelineOrError.message, name, composed)],
    };
  }

  #markLayout(): GPUBindGroupLayout {
    const { binding, format } = endedLoops;
    return this.device.createBindGroupLayout({
      label: "ended loops",
      entries: [{ binding, visibility: GPUShaderStage.COMPUTE, storageTexture: { access: "write-only", format } }],
    });
  }
}

function catchError<T>(promise: Promise<T>): Promise<T | Error> {
  return promise.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}
