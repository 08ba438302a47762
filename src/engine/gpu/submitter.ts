import type { TrainConfig } from "../config.js";
import { endedLoops } from "./boundLoops.js";
import { bind, dispatchName, dispatchOffsets, type Kernel } from "./kernel.js";
import { LoopMonitor } from "./loopMonitor.js";
import type { GpuMemory } from "./memory.js";
import { structBytes } from "./structs.js";
import { type DispatchRange, dispatchStride, dispatchUniform } from "./uniforms.js";

/** A dispatch of a kernel: its workgroups, and the index of the range in the submit that it reads. */
export interface Dispatch {
  kernel: Kernel;
  workgroups: number;
  range: number;
  /** Buffers that replace or extend the job's own. */
  buffers?: Buffers;
}

/** Buffers by their names in WGSL. */
type Buffers = ReadonlyMap<string, GPUBuffer>;

/** The kernels of a training step, in order, by the names under which their times are reported. */
export type Stages = Record<string, Dispatch>;

/** More stages than any pipeline has. Their timestamps are followed by those of a render, which WebGPU aligns to 256 bytes. */
const maxTimedStages = 16;

/** Submits dispatches over a job's buffers, and times them on request. */
export class Submitter {
  readonly #timestamps: { set: GPUQuerySet; resolved: GPUBuffer } | undefined;
  #timedStages: string[] = [];
  /** Since `startTiming`: the milliseconds of submits, by name and first workgroup. */
  #submits: Map<string, { name: string; milliseconds: Promise<number> }> | undefined;
  /** Created for edited kernels. */
  #loopMonitor: LoopMonitor | undefined;
  readonly #groups = new Map<Kernel, GPUBindGroup>();

  /** @param buffers call `rebind` after replacing some */
  constructor(
    readonly memory: GpuMemory,
    readonly config: TrainConfig,
    readonly buffers: Buffers,
  ) {
    const { device, hasTimestamps } = memory.gpu;
    if (!hasTimestamps) return;
    const set = memory.errors.within(() => device.createQuerySet({ type: "timestamp", count: 2 * maxTimedStages + 2 }));
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.#timestamps = { set, resolved: memory.buffer("timestamps", usage, 16 * maxTimedStages + 16) };
  }

  /** Whether the adapter has a clock. */
  get canTime(): boolean {
    return this.#timestamps !== undefined;
  }

  /** Submits dispatches, then stages that are timed if the adapter has a clock. */
  submit(ranges: DispatchRange[], dispatches: Dispatch[], horizon: number, timed: Stages = {}): void {
    this.memory.errors.within(() => this.#submit(ranges, dispatches, horizon, timed));
  }

  #submit(ranges: DispatchRange[], dispatches: Dispatch[], horizon: number, timed: Stages): void {
    const { device } = this.memory.gpu;
    const uniform = dispatchUniform(ranges, this.config, horizon);
    device.queue.writeBuffer(this.buffers.get(dispatchName)!, 0, uniform as BufferSource);
    const encoder = device.createCommandEncoder();
    // Renders are timed as a whole: separate passes would cost more than some kernels.
    const submits = this.#timestamps && this.#submits;
    if (dispatches.length > 0) this.#encode(encoder, dispatches, submits && this.#writes(maxTimedStages));
    if (this.#timestamps && submits) {
      const { set, resolved } = this.#timestamps;
      encoder.resolveQuerySet(set, 2 * maxTimedStages, 2, resolved, 16 * maxTimedStages);
    }
    if (this.#timestamps && Object.keys(timed).length > 0) {
      const { set, resolved } = this.#timestamps;
      this.#timedStages = Object.keys(timed);
      for (const [index, stage] of Object.values(timed).entries()) this.#encode(encoder, [stage], this.#writes(index));
      encoder.resolveQuerySet(set, 0, 2 * this.#timedStages.length, resolved, 0);
    }
    device.queue.submit([encoder.finish()]);
    if (!submits) return;
    const name = dispatches.length > 1 ? "lists" : "imageMain";
    const milliseconds = this.#readTimes().then((times) => times[maxTimedStages]);
    // Possibly never awaited, after a device loss.
    milliseconds.catch(() => {});
    // A repeated submit replaces the earlier one.
    submits.set(`${name} ${ranges[dispatches[0].range].first}`, { name, milliseconds });
  }

  /** Times each submit until `stopTiming`. Only renders are timed so. */
  startTiming(): void {
    this.#submits = new Map();
  }

  /** Returns the milliseconds since `startTiming`: of "lists", if some were built, and "imageMain". */
  async stopTiming(): Promise<Record<string, number>> {
    const submits = this.#submits!;
    this.#submits = undefined;
    const sums: Record<string, number> = {};
    for (const { name, milliseconds } of submits.values()) sums[name] = (sums[name] ?? 0) + (await milliseconds);
    return sums;
  }

  /** Returns the milliseconds of each stage of the latest timed step. */
  async stageTimes(): Promise<Record<string, number> | undefined> {
    const stages = this.#timedStages;
    if (stages.length === 0) return undefined;
    const times = await this.#readTimes();
    return Object.fromEntries(stages.map((stage, index) => [stage, times[index]]));
  }

  /** Reads the milliseconds between the timestamps of each pass. */
  async #readTimes(): Promise<number[]> {
    const times = new BigUint64Array(await this.memory.read(this.#timestamps!.resolved));
    return Array.from({ length: maxTimedStages + 1 }, (_, i) => Number(times[2 * i + 1] - times[2 * i]) / 1e6);
  }

  /** Discards bind groups, which refer to destroyed buffers. */
  rebind(): void {
    this.#groups.clear();
  }

  /** @throws EndlessLoopError if loops were ended */
  async checkLoops(): Promise<void> {
    await this.#loopMonitor?.check();
  }

  free(): void {
    if (!this.memory.gpu.isAbandoned) this.#timestamps?.set.destroy();
    this.#loopMonitor?.free();
  }

  /** Returns where a pass writes its timestamps. */
  #writes(index: number): GPUComputePassTimestampWrites {
    const { set: querySet } = this.#timestamps!;
    return { querySet, beginningOfPassWriteIndex: 2 * index, endOfPassWriteIndex: 2 * index + 1 };
  }

  /** Encodes dispatches in one pass. */
  #encode(encoder: GPUCommandEncoder, dispatches: Dispatch[], timestampWrites?: GPUComputePassTimestampWrites): void {
    const maxWorkgroups = this.memory.gpu.device.limits.maxComputeWorkgroupsPerDimension;
    const pass = encoder.beginComputePass(timestampWrites && { timestampWrites });
    for (const { kernel, workgroups, range, buffers } of dispatches) {
      pass.setPipeline(kernel.pipeline);
      pass.setBindGroup(0, this.#bind(kernel, buffers), dispatchOffsets(kernel, dispatchStride * range));
      if (kernel.loops.length > 0) {
        this.#loopMonitor ??= new LoopMonitor(this.memory);
        pass.setBindGroup(endedLoops.group, this.#loopMonitor.group(kernel));
      }
      pass.dispatchWorkgroups(Math.min(workgroups, maxWorkgroups), Math.ceil(workgroups / maxWorkgroups));
    }
    pass.end();
  }

  #bind(kernel: Kernel, extraBuffers?: Buffers): GPUBindGroup {
    const existing = extraBuffers ? undefined : this.#groups.get(kernel);
    if (existing) return existing;
    const group = bind(this.memory.gpu.device, kernel, (name) => {
      const buffer = (extraBuffers?.get(name) ?? this.buffers.get(name))!;
      return name === dispatchName ? { buffer, size: structBytes.Dispatch } : { buffer };
    });
    if (!extraBuffers) this.#groups.set(kernel, group);
    return group;
  }
}
