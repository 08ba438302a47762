import type { GpuMemory } from "./memory.js";

/** Maximum of timed submits. A dispatch has two timestamps of 8 bytes; those of a submit are aligned to 256 bytes. */
const maxSubmits = 1024;
const stride = 256;
const maxDispatches = stride / 16;

/** Times each dispatch of some submits by the adapter's clock. */
export class Stopwatch {
  readonly #resolved: GPUBuffer;
  /** For each submit, the names of its dispatches and its first workgroup. */
  readonly #submits: { names: string[]; first: number }[] = [];
  #isFull = false;

  constructor(readonly memory: GpuMemory) {
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#resolved = memory.buffer("stopwatch", usage, stride * maxSubmits);
  }

  /**
   * Records a submit. The returned function resolves the timestamps that the submit wrote.
   * @param first the first workgroup: a later time of the same kernel at the same workgroup replaces the earlier one
   */
  record(querySet: GPUQuerySet, names: string[], first: number): (encoder: GPUCommandEncoder) => void {
    const at = this.#submits.length;
    if (at === maxSubmits || names.length > maxDispatches) this.#isFull = true;
    if (this.#isFull) return () => {};
    this.#submits.push({ names, first });
    return (encoder) => encoder.resolveQuerySet(querySet, 0, 2 * names.length, this.#resolved, stride * at);
  }

  /**
   * Returns milliseconds by kernel, such as "imageMain", over all its workgroups; undefined if there were too many
   * submits.
   */
  async stop(): Promise<Record<string, number> | undefined> {
    const times = new BigUint64Array(
      await this.memory.read(this.#resolved, stride * Math.max(this.#submits.length, 1)),
    );
    this.memory.release(this.#resolved);
    if (this.#isFull) return undefined;
    const durations = new Map<string, { name: string; milliseconds: number }>();
    for (const [submit, { names, first }] of this.#submits.entries()) {
      for (const [index, name] of names.entries()) {
        const at = (stride / 8) * submit + 2 * index;
        const milliseconds = Number(times[at + 1] - times[at]) / 1e6;
        durations.set(`${name} ${first}`, { name, milliseconds });
      }
    }
    const sums: Record<string, number> = {};
    for (const { name, milliseconds } of durations.values()) sums[name] = (sums[name] ?? 0) + milliseconds;
    return sums;
  }
}
