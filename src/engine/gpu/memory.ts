import type { Gpu } from "./device.js";
import { ErrorScopes } from "./errorScopes.js";

/** The buffers of one job, and the errors of its calls. */
export class GpuMemory {
  readonly #buffers = new Set<GPUBuffer>();

  readonly errors: ErrorScopes;

  constructor(readonly gpu: Gpu) {
    this.errors = new ErrorScopes(gpu);
  }

  /** Returns a zeroed buffer of a size in bytes, or one with given contents. */
  buffer(label: string, usage: GPUBufferUsageFlags, contents: number | ArrayBufferView): GPUBuffer {
    const bytes = typeof contents === "number" ? contents : contents.byteLength;
    const size = Math.max(16, 4 * Math.ceil(bytes / 4));
    return this.errors.within(() => {
      const { device } = this.gpu;
      const buffer = device.createBuffer({ label, usage: usage | GPUBufferUsage.COPY_DST, size });
      this.#buffers.add(buffer);
      this.gpu.liveBuffers++;
      if (typeof contents !== "number") {
        const { buffer: source, byteOffset, byteLength } = contents;
        device.queue.writeBuffer(buffer, 0, source as ArrayBuffer, byteOffset, byteLength);
      }
      return buffer;
    });
  }

  /** Reads a buffer back, after all work submitted so far. */
  async read(source: GPUBuffer, bytes: number = source.size): Promise<ArrayBuffer> {
    const staging = this.buffer("readback", GPUBufferUsage.MAP_READ, bytes);
    try {
      const mapped = this.errors.within(() => {
        const encoder = this.gpu.device.createCommandEncoder();
        encoder.copyBufferToBuffer(source, 0, staging, 0, bytes);
        this.gpu.device.queue.submit([encoder.finish()]);
        return staging.mapAsync(GPUMapMode.READ, 0, bytes);
      });
      await this.gpu.answer(mapped);
      return staging.getMappedRange(0, bytes).slice(0);
    } finally {
      this.release(staging);
    }
  }

  /** Returns the bytes of the existing buffers by label. */
  allocated(): Record<string, number> {
    const bytes: Record<string, number> = {};
    for (const { label, size } of this.#buffers) bytes[label] = (bytes[label] ?? 0) + size;
    return bytes;
  }

  release(buffer: GPUBuffer): void {
    // Destroying a buffer in use would wait for the kernel.
    if (this.gpu.isAbandoned || !this.#buffers.delete(buffer)) return;
    buffer.destroy();
    this.gpu.liveBuffers--;
  }

  free(): void {
    for (const buffer of this.#buffers) this.release(buffer);
  }
}
