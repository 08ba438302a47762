import type { Gpu } from "../../../engine/gpu/device.js";
import type { Probe } from "../../../engine/gpu/trace.js";
import { traceKernel } from "../../../engine/gpu/trace.js";
import { type SortRecord, threadOf } from "./sortModel.js";

/** A pair that a thread of the GPU had in hand. */
export interface KernelPair {
  thread: number;
  i: number;
  l: number;
}

/** What the kernel did with a list. */
export interface KernelSort {
  /** The padded list at the end. */
  sorted: Uint32Array;
  /** Of each pass, in the order in which the threads came by. */
  compared: KernelPair[][];
  swapped: KernelPair[][];
}

const values = ["(k << 16u) | j", "(i << 16u) | l", "localIndex"];
const file = "tiled/bitonicSort.wgsl";
const probes: Probe[] = [
  { name: "compared", file, at: "let high = sh_blobs[l];", values },
  { name: "swapped", file, at: "sh_blobs[l] = low;", values },
];

/** Sorts the record's list on the GPU, with shaders/tiled/bitonicSort.wgsl and probes in it. */
export async function sortOnGpu(
  gpu: Gpu,
  { given, n, passes, arrangements }: SortRecord,
  [TILE_WIDTH, TILE_HEIGHT]: readonly [number, number],
): Promise<KernelSort> {
  const kernel = {
    file: "learn/sort.wgsl",
    constants: { GAUSSIANS_PER_BLOCK: n, TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      2: { type: "read-only-storage", contents: arrangements[0].numbers.slice(0, given) },
      3: { type: "storage", contents: 4 * n },
    },
  } as const;
  const { events, buffers } = await traceKernel(gpu, kernel, probes, 2 * passes.length * (n / 2));
  const told = (probe: string): KernelPair[][] => {
    const byPass = new Map(passes.map(({ k, j }) => [(k << 16) | j, [] as KernelPair[]]));
    for (const {
      values: [pass, pair, thread],
    } of events.filter((event) => event.probe === probe)) {
      byPass.get(pass)!.push({ thread, i: pair >>> 16, l: pair & 0xffff });
    }
    return [...byPass.values()];
  };
  return { sorted: new Uint32Array(buffers[3]), compared: told("compared"), swapped: told("swapped") };
}

/**
 * Of each pass: whether the kernel compared the pairs of the record and no others, swapped the same of them, and each by
 * the thread whose loop comes by its first place.
 */
export function agreements({ comparators }: SortRecord, { compared, swapped }: KernelSort, threads: number): boolean[] {
  const same = (ours: { i: number; l: number }[], theirs: KernelPair[]) => {
    const keys = new Set(ours.map((pair) => `${pair.i} ${pair.l} ${threadOf(pair, threads)}`));
    const told = new Set(theirs.map(({ i, l, thread }) => `${i} ${l} ${thread}`));
    return ours.length === theirs.length && keys.size === told.size && [...keys].every((key) => told.has(key));
  };
  return comparators.map(
    (all, pass) =>
      same(all, compared[pass]) &&
      same(
        all.filter(({ swapped }) => swapped),
        swapped[pass],
      ),
  );
}

/** Whether the kernel left the list as the record did. */
export function leftTheSame({ arrangements }: SortRecord, { sorted }: KernelSort): boolean {
  const { numbers } = arrangements.at(-1)!;
  return numbers.length === sorted.length && numbers.every((number, place) => number === sorted[place]);
}
