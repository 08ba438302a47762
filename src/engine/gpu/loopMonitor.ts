import { EndlessLoopError, endedLoops } from "./boundLoops.js";
import type { Kernel } from "./kernel.js";
import type { GpuMemory } from "./memory.js";

interface Marks {
  texture: GPUTexture;
  group: GPUBindGroup;
}

/** Detects which bounded loops of a job's kernels reached their bound. */
export class LoopMonitor {
  readonly #marks = new Map<Kernel, Marks>();

  constructor(readonly memory: GpuMemory) {}

  /** Returns the bind group with the texture in which a kernel marks its loops. */
  group(kernel: Kernel): GPUBindGroup {
    const existing = this.#marks.get(kernel);
    if (existing) return existing.group;
    const { device } = this.memory.gpu;
    const texture = device.createTexture({
      label: "ended loops",
      size: [kernel.loops.length, 1],
      format: endedLoops.format,
      usage: GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC,
    });
    const { group: index, binding } = endedLoops;
    const layout = kernel.pipeline.getBindGroupLayout(index);
    const group = device.createBindGroup({ layout, entries: [{ binding, resource: texture.createView() }] });
    this.#marks.set(kernel, { texture, group });
    return group;
  }

  /**
   * Checks all work submitted so far.
   * @throws EndlessLoopError if loops were ended
   */
  async check(): Promise<void> {
    const { memory } = this;
    memory.gpu.checkAlive();
    const total = [...this.#marks.keys()].reduce((sum, { loops }) => sum + loops.length, 0);
    const readback = memory.buffer("ended loops", GPUBufferUsage.COPY_SRC, 4 * total);
    try {
      memory.errors.within(() => {
        const encoder = memory.gpu.device.createCommandEncoder();
        let offset = 0;
        for (const [{ loops }, { texture }] of this.#marks) {
          encoder.copyTextureToBuffer({ texture }, { buffer: readback, offset }, [loops.length, 1]);
          offset += 4 * loops.length;
        }
        memory.gpu.device.queue.submit([encoder.finish()]);
      });
      const marks = new Uint32Array(await memory.read(readback, 4 * total));
      const kernels = [...this.#marks.keys()];
      const ended = kernels.flatMap(({ loops }) => loops).filter((_, index) => marks[index] !== 0);
      const locations = new Map(ended.map((location) => [JSON.stringify(location), location]));
      if (locations.size > 0) throw new EndlessLoopError([...locations.values()], kernels[0].maxIterations!);
    } finally {
      memory.release(readback);
    }
  }

  free(): void {
    if (this.memory.gpu.isAbandoned) return;
    for (const { texture } of this.#marks.values()) texture.destroy();
  }
}
