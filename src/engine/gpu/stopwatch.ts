import type { GpuMemory } from "./memory.js";

/** Most submits that are timed, with two timestamps of 8 bytes each, which are aligned to 256 bytes. */
const maxSubmits = 1024;
const stride = 256;

/** Times submits by the adapter's clock. */
export class Stopwatch {
  readonly #resolved: GPUBuffer;
  /** The name of each submit, and its first workgroup. */
  readonly #submits: { name: string; first: number }[] = [];

  constructor(readonly memory: GpuMemory) {
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#resolved = memory.buffer("stopwatch", usage, stride * maxSubmits);
  }

  /**
   * Records a submit, which writes its timestamps to the first two queries of a set.
   * @param first the first workgroup: a later time of the same name at the same workgroup replaces the earlier one
   */
  record(encoder: GPUCommandEncoder, querySet: GPUQuerySet, name: string, first: number): void {
    const at = stride * this.#submits.length;
    this.#submits.push({ name, first });
    if (this.#submits.length <= maxSubmits) encoder.resolveQuerySet(querySet, 0, 2, this.#resolved, at);
  }

  /** Returns milliseconds by name, such as "imageMain"; undefined if there were too many submits. */
  async stop(): Promise<Record<string, number> | undefined> {
    const times = new BigUint64Array(await this.memory.read(this.#resolved));
    this.memory.release(this.#resolved);
    if (this.#submits.length > maxSubmits) return undefined;
    const durations = new Map<string, { name: string; milliseconds: number }>();
    for (const [submit, { name, first }] of this.#submits.entries()) {
      const at = (stride / 8) * submit;
      durations.set(`${name} ${first}`, { name, milliseconds: Number(times[at + 1] - times[at]) / 1e6 });
    }
    const sums: Record<string, number> = {};
    for (const { name, milliseconds } of durations.values()) sums[name] = (sums[name] ?? 0) + milliseconds;
    return sums;
  }
}
