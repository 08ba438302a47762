import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { runKernel } from "../../../engine/gpu/workbench.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { count, percent } from "../../page/format.js";
import { failed } from "../../page/help.js";

const file = "learn/exchangeValues.wgsl";
const runs = 20;

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
    buffers: { neighbours: 4 * threads * workgroups },
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
export type StaleReads = ReturnType<typeof countStale>;

/** Runs the exchange on the GPU in so many workgroups, waiting or not, and counts. */
export async function staleReads(gpu: Gpu, threads: number, workgroups: number, waits: boolean): Promise<StaleReads> {
  const { neighbours: left } = await runKernel(gpu, kernel(threads, workgroups, waits));
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
  words: string | Node;
  lanes?: number;
}

/** The order of a model, and then that of the reader's GPU, where there is one. */
export async function* exchangeOn(engine: BrowserEngine, threads: number): AsyncGenerator<Exchange> {
  const model = (words: string | Node) => ({ arrivals: modelledExchange(threads, Math.random), words });
  if (engine.kind !== "cpu") {
    yield model("A random order that the barrier allows, until your GPU has run the kernel.");
  }
  try {
    const gpu = await pageGpu(engine);
    if (!gpu) return yield model("This page has no GPU: the order is random, among those that the barrier allows.");
    const arrivals = await tracedExchange(gpu, threads);
    const held = barrierHeld(arrivals)
      ? "Every thread wrote before any thread read."
      : "The probe of a read was recorded before that of another thread’s write: probes use other memory, whose order the barrier does not define.";
    const [least, most] = gpu.subgroupSizes ?? [];
    const lanes = least === most ? least : undefined;
    const step = lanes === undefined ? "" : ` Its subgroups of ${lanes} lanes are shaded.`;
    const whose = `The order of the threads on ${gpu.description}, recorded by probes in the kernel.`;
    yield { arrivals, words: `${whose} ${held}${step}`, lanes };
  } catch (error) {
    yield model(failed("The kernel did not run", error as Error, "This is an order that the barrier allows."));
  }
}

/**
 * Runs the exchange without the barrier again and again, on the reader's GPU or in a model, for a cell.
 * @param visibility what it waits for, Framework's
 * @returns how many reads were stale as yet, and at the end, in words, what came of it
 */
export async function* exchangeRace(
  engine: BrowserEngine,
  threads: number,
  visibility: () => Promise<unknown>,
): AsyncGenerator<StaleReads & { words: string | Node }> {
  const workgroups = engine.kind === "gpu" ? 2048 : 24;
  let sum: StaleReads = { reads: 0, stale: 0, byThread: new Uint32Array(threads) };
  await visibility();
  try {
    const gpu = await pageGpu(engine);
    const waited = gpu && (await staleReads(gpu, threads, workgroups, true));
    for (let run = 1; run <= runs; run++) {
      const { reads, stale, byThread } = gpu
        ? await staleReads(gpu, threads, workgroups, false)
        : modelledStaleReads(threads, workgroups, Math.random);
      sum = {
        reads: sum.reads + reads,
        stale: sum.stale + stale,
        byThread: byThread.map((n, i) => n + sum.byThread[i]),
      };
      if (run < runs) yield { ...sum, words: "" };
    }
    const what =
      gpu && waited
        ? `On ${gpu.description}, ${runs} runs of ${count(workgroups)} workgroups without the barrier: ${shareOf(sum)} With the barrier: ${count(waited.stale)} of ${count(waited.reads)}.`
        : `In the model, where each thread runs at a random time and does not wait, ${shareOf(sum)}`;
    yield { ...sum, words: what + whereOf(sum) };
  } catch (error) {
    yield { ...sum, words: failed("The kernel did not run", error as Error) };
  }
}

function shareOf({ reads, stale }: StaleReads): string {
  return `${count(stale)} of ${count(reads)} reads were stale${stale > 0 ? ` (${percent(stale / reads)})` : ""}.`;
}

function whereOf({ stale, byThread }: StaleReads): string {
  if (stale === 0)
    return " None this time. WGSL gives no guarantee: another GPU, driver or run may give another number.";
  const where = [...byThread.keys()].filter((thread) => byThread[thread] > 0);
  if (where.length >= byThread.length / 2) return "";
  return ` Only threads ${where.slice(0, 8).join(", ")}${where.length > 8 ? " and so on" : ""} were ever too early.`;
}
