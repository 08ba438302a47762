import type { TrainConfig } from "../config.js";
import { endedLoops } from "./boundLoops.js";
import { bind, dispatchName, dispatchOffsets, type Kernel } from "./kernel.js";
import { LoopMonitor } from "./loopMonitor.js";
import type { GpuMemory } from "./memory.js";
import { Stopwatch } from "./stopwatch.js";
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

/** More stages than any pipeline has. */
const maxTimedStages = 16;

/** Submits dispatches over a job's buffers, and times them on request. */
export class Submitter {
  readonly #timestamps: { set: GPUQuerySet; resolved: GPUBuffer } | undefined;
  #timedStages: string[] = [];
  #stopwatch: Stopwatch | undefined;
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
    const set = memory.errors.within(() => device.createQuerySet({ type: "timestamp", count: 2 * maxTimedStages }));
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    this.#timestamps = { set, resolved: memory.buffer("timestamps", usage, 16 * maxTimedStages) };
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
    if (this.#stopwatch && this.#timestamps) {
      // Only renders are timed here. List kernels are timed together: separate passes would cost more than some
      // kernels.
      this.#encode(encoder, dispatches, this.#writes(0));
      const name = dispatches.length > 1 ? "lists" : "imageMain";
      this.#stopwatch.record(encoder, this.#timestamps.set, name, ranges[dispatches[0].range].first);
    } else if (dispatches.length > 0) this.#encode(encoder, dispatches);
    if (this.#timestamps && Object.keys(timed).length > 0) {
      const { set, resolved } = this.#timestamps;
      this.#timedStages = Object.keys(timed);
      for (const [index, stage] of Object.values(timed).entries()) this.#encode(encoder, [stage], this.#writes(index));
      encoder.resolveQuerySet(set, 0, 2 * this.#timedStages.length, resolved, 0);
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Times each submit until `stopTiming`. */
  startTiming(): void {
    this.#stopwatch = new Stopwatch(this.memory);
  }

  /** Returns the milliseconds since `startTiming`, by kernel. */
  async stopTiming(): Promise<Record<string, number> | undefined> {
    const stopwatch = this.#stopwatch;
    this.#stopwatch = undefined;
    return stopwatch?.stop();
  }

  /** Returns the milliseconds of each stage of the latest timed step. */
  async stageTimes(): Promise<Record<string, number> | undefined> {
    if (!this.#timestamps || this.#timedStages.length === 0) return undefined;
    const stages = this.#timedStages;
    const times = new BigUint64Array(await this.memory.read(this.#timestamps.resolved));
    const milliseconds = (index: number) => Number(times[2 * index + 1] - times[2 * index]) / 1e6;
    return Object.fromEntries(stages.map((stage, index) => [stage, milliseconds(index)]));
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
