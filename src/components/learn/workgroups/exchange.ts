import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { runKernel } from "../../../engine/gpu/workbench.js";

const file = "learn/exchangeValues.wgsl";

/** A thread came by: it has written its value, or it has read its neighbour's behind the barrier. */
export interface Arrival {
  thread: number;
  does: "writes" | "reads";
  /** What it read: its neighbour's number, counted from 1, or 0 if that was not there yet. */
  value?: number;
}

/** The thread whose value a thread reads. */
export function neighbourOf(thread: number, threads: number): number {
  return (thread + 1) % threads;
}

const probes: Probe[] = [
  { name: "writes", file, at: "sh_values[localIndex] = localIndex + 1u;", values: ["localIndex"] },
  { name: "reads", file, at: "let value = sh_values[neighbour];", values: ["localIndex", "value"] },
];

function kernel(threads: number, workgroups: number, waits: boolean) {
  return {
    file,
    constants: { TILE_WIDTH: threads, TILE_HEIGHT: 1, WAITS: Number(waits) },
    buffers: { 0: { type: "storage", contents: 4 * threads * workgroups } as const },
    workgroups,
  };
}

/** The order in which the threads of one workgroup came by on the GPU. */
export async function tracedExchange(gpu: Gpu, threads: number): Promise<Arrival[]> {
  const { events } = await traceKernel(gpu, kernel(threads, 1, true), probes, 2 * threads);
  return events.map(({ probe, values: [thread, value] }) =>
    probe === "writes" ? { thread, does: "writes" } : { thread, does: "reads", value },
  );
}

/** An order that the barrier allows: any, as long as nobody reads before all have written. */
export function modelledExchange(threads: number, random: () => number): Arrival[] {
  const arrivals = (does: Arrival["does"]) =>
    Array.from({ length: threads }, (_, thread) => ({ thread, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ thread }): Arrival => {
        if (does === "writes") return { thread, does };
        return { thread, does, value: neighbourOf(thread, threads) + 1 };
      });
  return [...arrivals("writes"), ...arrivals("reads")];
}

/** Whether every thread wrote before any thread read. */
export function barrierHeld(arrivals: readonly Arrival[]): boolean {
  const firstRead = arrivals.findIndex(({ does }) => does === "reads");
  const lastWrite = arrivals.findLastIndex(({ does }) => does === "writes");
  return firstRead < 0 || lastWrite < firstRead;
}

/** How often the threads of many workgroups read something other than what their neighbour wrote. */
export interface StaleReads {
  reads: number;
  stale: number;
  /** By the reader's local index. */
  byThread: Uint32Array;
}

/** Runs the exchange on the GPU in so many workgroups, waiting or not, and counts. */
export async function staleReads(gpu: Gpu, threads: number, workgroups: number, waits: boolean): Promise<StaleReads> {
  const { 0: left } = await runKernel(gpu, kernel(threads, workgroups, waits));
  return countStale(new Uint32Array(left, 0, threads * workgroups), threads);
}

/** The same in a model: the threads of each workgroup write and read in any order that keeps a thread's own. */
export function modelledStaleReads(threads: number, workgroups: number, random: () => number): StaleReads {
  const values = new Uint32Array(threads * workgroups);
  for (let w = 0; w < workgroups; w++) {
    const writes = Float64Array.from({ length: threads }, random);
    for (let thread = 0; thread < threads; thread++) {
      const reads = writes[thread] + (1 - writes[thread]) * random();
      const neighbour = neighbourOf(thread, threads);
      values[w * threads + thread] = writes[neighbour] < reads ? neighbour + 1 : 0;
    }
  }
  return countStale(values, threads);
}

function countStale(values: Uint32Array, threads: number): StaleReads {
  const byThread = new Uint32Array(threads);
  for (const [i, value] of values.entries()) {
    if (value !== neighbourOf(i % threads, threads) + 1) byThread[i % threads]++;
  }
  return { reads: values.length, stale: byThread.reduce((sum, count) => sum + count, 0), byThread };
}
