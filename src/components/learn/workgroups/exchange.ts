import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, percent } from "../../page/format.js";
import { failureText } from "../../page/help.js";

const file = "learn/exchangeValues.wgsl";
const runCount = 20;

/** An event of a thread: it writes its value, or it reads that of its neighbour after the barrier. */
export interface Arrival {
  thread: number;
  action: "writes" | "reads";
  /** The value read: the neighbour's index + 1, or 0 if that was not written yet. */
  value?: number;
}

/** Returns the thread that a thread reads from. */
export function neighbourOf(thread: number, threads: number): number {
  return (thread + 1) % threads;
}

const probes: Probe[] = [
  { name: "writes", file, at: "sh_values[localIndex] = localIndex + 1u;", values: ["localIndex"] },
  { name: "reads", file, at: "let value = sh_values[neighbour];", values: ["localIndex", "value"] },
];

function exchangeKernel(threads: number, workgroups: number, hasBarrier: boolean) {
  return {
    file,
    constants: { TILE_WIDTH: threads, TILE_HEIGHT: 1, WAITS: Number(hasBarrier) },
    buffers: { neighbours: 4 * threads * workgroups },
    workgroups,
  };
}

/** Returns the events of the threads of one workgroup on the GPU, in order of arrival. */
export async function traceExchange(gpu: Gpu, threads: number): Promise<Arrival[]> {
  const { events } = await traceKernel(gpu, exchangeKernel(threads, 1, true), probes, 2 * threads);
  return events.map(({ probe, values: [thread, value] }) =>
    probe === "writes" ? { thread, action: "writes" } : { thread, action: "reads", value },
  );
}

/** Returns a random order that the barrier allows: all threads write before any reads. */
export function modelExchange(threads: number, random: () => number): Arrival[] {
  const shuffled = () =>
    Array.from({ length: threads }, (_, thread) => ({ thread, at: random() })).sort((a, b) => a.at - b.at);
  const writes = shuffled().map(({ thread }): Arrival => ({ thread, action: "writes" }));
  const reads = shuffled().map(({ thread }): Arrival => {
    return { thread, action: "reads", value: neighbourOf(thread, threads) + 1 };
  });
  return [...writes, ...reads];
}

/** Whether every thread wrote before any thread read. */
export function isBarrierRespected(arrivals: readonly Arrival[]): boolean {
  const firstRead = arrivals.findIndex(({ action }) => action === "reads");
  const lastWrite = arrivals.findLastIndex(({ action }) => action === "writes");
  return firstRead < 0 || lastWrite < firstRead;
}

/** The number of reads of many workgroups that returned another value than the neighbour's. */
export type StaleReads = ReturnType<typeof countStale>;

/** Runs the exchange in many workgroups on the GPU, with or without the barrier, and counts stale reads. */
export async function countStaleReads(
  gpu: Gpu,
  threads: number,
  workgroups: number,
  hasBarrier: boolean,
): Promise<StaleReads> {
  const { neighbours: buffer } = await runKernel(gpu, exchangeKernel(threads, workgroups, hasBarrier));
  return countStale(new Uint32Array(buffer, 0, threads * workgroups), threads);
}

/** Counts stale reads in a model, where each thread writes and then reads at random times. */
export function modelStaleReads(threads: number, workgroups: number, random: () => number): StaleReads {
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

function countStale(values: Uint32Array, threads: number) {
  /** By local index. */
  const byThread = new Uint32Array(threads);
  for (const [i, value] of values.entries()) {
    if (value !== neighbourOf(i % threads, threads) + 1) byThread[i % threads]++;
  }
  return { reads: values.length, stale: byThread.reduce((sum, count) => sum + count, 0), byThread };
}

/** The events of the threads in order, a sentence on their origin, and the size of a subgroup, if known. */
export interface Exchange {
  arrivals: Arrival[];
  message: string | Node;
  lanes?: number;
}

/** Yields the order of a model, and then that of the reader's GPU, if there is one. */
export async function* exchangeOrders(engine: BrowserEngine, threads: number): AsyncGenerator<Exchange> {
  const modelOrder = (message: string | Node) => ({ arrivals: modelExchange(threads, Math.random), message });
  if (engine.kind !== "cpu") {
    yield modelOrder("A random order that the barrier allows, until your GPU has run the kernel.");
  }
  try {
    const gpu = await pageGpu(engine);
    if (!gpu) return yield modelOrder("This page has no GPU: the order is random, but respects the barrier.");
    const arrivals = await traceExchange(gpu, threads);
    const barrierText = isBarrierRespected(arrivals)
      ? "Every thread wrote before any thread read."
      : "The probe of a read was recorded before that of another thread’s write: probes use other memory, and the barrier does not order that.";
    const [minLanes, maxLanes] = gpu.subgroupSizes ?? [];
    const lanes = minLanes === maxLanes ? minLanes : undefined;
    const subgroupText = lanes === undefined ? "" : ` Its subgroups of ${lanes} lanes are shaded.`;
    const orderText = `The order of the threads on ${gpu.description}, recorded by probes in the kernel.`;
    yield { arrivals, message: `${orderText} ${barrierText}${subgroupText}`, lanes };
  } catch (error) {
    const orderText = "This is an order that the barrier allows.";
    yield modelOrder(failureText("The kernel did not run", error as Error, orderText));
  }
}

/**
 * Runs the exchange without the barrier many times, on the reader's GPU or in a model, for a cell. Yields the stale reads so
 * far, and at the end a summary.
 * @param visibility Framework's, which resolves when the cell is visible
 */
export async function* runWithoutBarrier(
  engine: BrowserEngine,
  threads: number,
  visibility: () => Promise<unknown>,
): AsyncGenerator<StaleReads & { message: string | Node }> {
  const workgroups = workgroupsOf(engine);
  let sum: StaleReads = { reads: 0, stale: 0, byThread: new Uint32Array(threads) };
  // The model is fast enough to run at once, so that the figure is never empty.
  if (engine.kind !== "cpu") await visibility();
  try {
    const gpu = await pageGpu(engine);
    const withBarrier = gpu && (await countStaleReads(gpu, threads, workgroups, true));
    for (let run = 1; run <= runCount; run++) {
      const { reads, stale, byThread } = gpu
        ? await countStaleReads(gpu, threads, workgroups, false)
        : modelStaleReads(threads, workgroups, Math.random);
      sum = {
        reads: sum.reads + reads,
        stale: sum.stale + stale,
        byThread: byThread.map((n, i) => n + sum.byThread[i]),
      };
      if (run < runCount) yield { ...sum, message: "" };
    }
    const summary =
      gpu && withBarrier
        ? `On ${gpu.description}, ${runCount} runs of ${count(workgroups)} workgroups without the barrier: ${staleText(sum)} With the barrier: ${count(withBarrier.stale)} of ${count(withBarrier.reads)}.`
        : `In the model, where each thread runs at a random time and does not wait, ${staleText(sum)}`;
    yield { ...sum, message: summary + staleThreadsText(sum) };
  } catch (error) {
    yield { ...sum, message: failureText("The kernel did not run", error as Error) };
  }
}

/**
 * Measures the share of stale reads in percent without the barrier, by the number of threads, on the reader's GPU or in a
 * model.
 */
export async function staleReadCurve(
  engine: BrowserEngine,
  threadCounts: readonly number[],
): Promise<{ x: number; y: number }[]> {
  const gpu = await pageGpu(engine);
  const curve: { x: number; y: number }[] = [];
  for (const threads of threadCounts) {
    const { reads, stale } = gpu
      ? await countStaleReads(gpu, threads, workgroupsOf(engine), false)
      : modelStaleReads(threads, workgroupsOf(engine), Math.random);
    curve.push({ x: threads, y: (100 * stale) / reads });
  }
  return curve;
}

/** The number of workgroups of a run: few where threads run on the CPU. */
function workgroupsOf({ kind }: BrowserEngine): number {
  return kind === "gpu" ? 2048 : 24;
}

function staleText({ reads, stale }: StaleReads): string {
  return `${count(stale)} of ${count(reads)} reads were stale${stale > 0 ? ` (${percent(stale / reads)})` : ""}.`;
}

function staleThreadsText({ stale, byThread }: StaleReads): string {
  if (stale === 0)
    return " None this time. WGSL gives no guarantee: another GPU, driver or run may give another number.";
  const staleThreads = [...byThread.keys()].filter((thread) => byThread[thread] > 0);
  if (staleThreads.length >= byThread.length / 2) return "";
  return ` Only threads ${staleThreads.slice(0, 8).join(", ")}${staleThreads.length > 8 ? " and so on" : ""} were ever too early.`;
}
