import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, percent } from "../../page/format.js";
import { failureText } from "../../page/help.js";

const file = "learn/exchangeValues.wgsl";
const runCount = 20;

/** A thread came by: it has written its value, or it has read its neighbour's behind the barrier. */
export interface Arrival {
  thread: number;
  action: "writes" | "reads";
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

function exchangeKernel(threads: number, workgroups: number, hasBarrier: boolean) {
  return {
    file,
    constants: { TILE_WIDTH: threads, TILE_HEIGHT: 1, WAITS: Number(hasBarrier) },
    buffers: { neighbours: 4 * threads * workgroups },
    workgroups,
  };
}

/** The order in which the threads of one workgroup came by on the GPU. */
export async function traceExchange(gpu: Gpu, threads: number): Promise<Arrival[]> {
  const { events } = await traceKernel(gpu, exchangeKernel(threads, 1, true), probes, 2 * threads);
  return events.map(({ probe, values: [thread, value] }) =>
    probe === "writes" ? { thread, action: "writes" } : { thread, action: "reads", value },
  );
}

/** An order that the barrier allows: any, as long as nobody reads before all have written. */
export function modelExchange(threads: number, random: () => number): Arrival[] {
  const arrivals = (action: Arrival["action"]) =>
    Array.from({ length: threads }, (_, thread) => ({ thread, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ thread }): Arrival => {
        if (action === "writes") return { thread, action };
        return { thread, action, value: neighbourOf(thread, threads) + 1 };
      });
  return [...arrivals("writes"), ...arrivals("reads")];
}

/** Whether every thread wrote before any thread read. */
export function isBarrierRespected(arrivals: readonly Arrival[]): boolean {
  const firstRead = arrivals.findIndex(({ action }) => action === "reads");
  const lastWrite = arrivals.findLastIndex(({ action: does }) => does === "writes");
  return firstRead < 0 || lastWrite < firstRead;
}

/** How often the threads of many workgroups read something other than what their neighbour wrote. */
export type StaleReads = ReturnType<typeof countStale>;

/** Runs the exchange on the GPU in so many workgroups, waiting or not, and counts. */
export async function countStaleReads(
  gpu: Gpu,
  threads: number,
  workgroups: number,
  hasBarrier: boolean,
): Promise<StaleReads> {
  const { neighbours: buffer } = await runKernel(gpu, exchangeKernel(threads, workgroups, hasBarrier));
  return countStale(new Uint32Array(buffer, 0, threads * workgroups), threads);
}

/** The same in a model: the threads of each workgroup write and read in any order that keeps a thread's own. */
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
  /** By the reader's local index. */
  const byThread = new Uint32Array(threads);
  for (const [i, value] of values.entries()) {
    if (value !== neighbourOf(i % threads, threads) + 1) byThread[i % threads]++;
  }
  return { reads: values.length, stale: byThread.reduce((sum, count) => sum + count, 0), byThread };
}

/** In which order the threads of a workgroup came by, whose order it is, and how many threads run in step, if known. */
export interface Exchange {
  arrivals: Arrival[];
  message: string | Node;
  lanes?: number;
}

/** The order of a model, and then that of the reader's GPU, where there is one. */
export async function* exchangeOrders(engine: BrowserEngine, threads: number): AsyncGenerator<Exchange> {
  const modelOrder = (message: string | Node) => ({ arrivals: modelExchange(threads, Math.random), message });
  if (engine.kind !== "cpu") {
    yield modelOrder("A random order that the barrier allows, until your GPU has run the kernel.");
  }
  try {
    const gpu = await pageGpu(engine);
    if (!gpu)
      return yield modelOrder("This page has no GPU: the order is random, among those that the barrier allows.");
    const arrivals = await traceExchange(gpu, threads);
    const barrierText = isBarrierRespected(arrivals)
      ? "Every thread wrote before any thread read."
      : "The probe of a read was recorded before that of another thread’s write: probes use other memory, whose order the barrier does not define.";
    const [minLanes, maxLanes] = gpu.subgroupSizes ?? [];
    const lanes = minLanes === maxLanes ? minLanes : undefined;
    const subgroupText = lanes === undefined ? "" : ` Its subgroups of ${lanes} lanes are shaded.`;
    const orderText = `The order of the threads on ${gpu.description}, recorded by probes in the kernel.`;
    yield { arrivals, message: `${orderText} ${barrierText}${subgroupText}`, lanes };
  } catch (error) {
    yield modelOrder(
      failureText("The kernel did not run", error as Error, "This is an order that the barrier allows."),
    );
  }
}

/**
 * Runs the exchange without the barrier again and again, on the reader's GPU or in a model, for a cell.
 * @param visibility what it waits for, Framework's
 * @returns how many reads were stale as yet, and at the end, in words, what came of it
 */
export async function* runWithoutBarrier(
  engine: BrowserEngine,
  threads: number,
  visibility: () => Promise<unknown>,
): AsyncGenerator<StaleReads & { message: string | Node }> {
  const workgroups = engine.kind === "gpu" ? 2048 : 24;
  let sum: StaleReads = { reads: 0, stale: 0, byThread: new Uint32Array(threads) };
  await visibility();
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
