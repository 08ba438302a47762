import type { Gpu } from "../../../engine/gpu/device.js";
import type { Probe } from "../../../engine/gpu/trace.js";
import { traceKernel } from "../../../engine/gpu/trace.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { linkThings } from "../../figures/pointing.js";
import { element } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { failureText } from "../../page/help.js";
import { countSwaps, type SortProgress, type SortRecord, threadOf } from "./sortModel.js";

/** A pair that a thread of the GPU had in hand. */
export interface KernelPair {
  thread: number;
  i: number;
  l: number;
}

/** What the kernel did with a list. */
type KernelSort = Awaited<ReturnType<typeof sortOnGpu>>;

const values = ["(k << 16u) | j", "(i << 16u) | l", "localIndex"];
const file = "tiled/bitonicSort.wgsl";
const probes: Probe[] = [
  { name: "compared", file, at: "let high = sh_blobs[l];", values },
  { name: "swapped", file, at: "sh_blobs[l] = low;", values },
];

/** Sorts the record's list on the GPU, with shaders/tiled/bitonicSort.wgsl and probes in it. */
export async function sortOnGpu(
  gpu: Gpu,
  { inputLength: given, n, passes, arrangements }: SortRecord,
  [TILE_WIDTH, TILE_HEIGHT]: readonly [number, number],
) {
  const kernel = {
    file: "learn/sort.wgsl",
    constants: { GAUSSIANS_PER_BLOCK: n, TILE_WIDTH, TILE_HEIGHT },
    buffers: {
      given: arrangements[0].numbers.slice(0, given),
      sorted: 4 * n,
    },
  };
  const { events, buffers } = await traceKernel(gpu, kernel, probes, 2 * passes.length * (n / 2));
  /** Of each pass, in the order in which the threads came by. */
  const pairsOf = (probe: string): KernelPair[][] => {
    const byPass = new Map(passes.map(({ k, j }) => [(k << 16) | j, [] as KernelPair[]]));
    for (const {
      values: [pass, pair, thread],
    } of events.filter((event) => event.probe === probe)) {
      byPass.get(pass)!.push({ thread, i: pair >>> 16, l: pair & 0xffff });
    }
    return [...byPass.values()];
  };
  return { sorted: new Uint32Array(buffers.sorted), compared: pairsOf("compared"), swapped: pairsOf("swapped") };
}

/**
 * Of each pass: whether the kernel compared the pairs of the record and no others, swapped the same of them, and each by
 * the thread whose loop comes by its first place.
 */
export function comparePasses(
  { comparators }: SortRecord,
  { compared, swapped }: KernelSort,
  threads: number,
): boolean[] {
  const same = (expected: { i: number; l: number }[], actual: KernelPair[]) => {
    const keys = new Set(expected.map((pair) => `${pair.i} ${pair.l} ${threadOf(pair, threads)}`));
    const kernelKeys = new Set(actual.map(({ i, l, thread }) => `${i} ${l} ${thread}`));
    return (
      expected.length === actual.length &&
      keys.size === kernelKeys.size &&
      [...keys].every((key) => kernelKeys.has(key))
    );
  };
  return comparators.map((all, pass) => {
    const swaps = all.filter(({ swapped }) => swapped);
    return same(all, compared[pass]) && same(swaps, swapped[pass]);
  });
}

/** Whether the kernel left the list as the record did. */
export function hasSameResult({ arrangements }: SortRecord, { sorted }: KernelSort): boolean {
  const { numbers } = arrangements.at(-1)!;
  return numbers.length === sorted.length && numbers.every((number, place) => number === sorted[place]);
}

/** What the kernel on the reader's GPU did, beside the twin. */
export interface KernelVerdict {
  words: string | Node;
  isWrong?: boolean;
  isSame?: boolean[];
  swapped?: KernelPair[][];
}

/**
 * Lets the reader's GPU sort the same list, for a cell.
 * @param visibility what it waits for, Framework's
 */
export async function* sortOnReaderGpu(
  engine: BrowserEngine,
  record: SortRecord,
  workgroup: readonly [number, number],
  visibility: () => Promise<unknown>,
): AsyncGenerator<KernelVerdict> {
  yield { words: "Your GPU sorts …" };
  await visibility();
  try {
    const gpu = await pageGpu(engine);
    if (gpu) yield verdictOf(record, await sortOnGpu(gpu, record, workgroup), workgroup[0] * workgroup[1], gpu);
    else yield { words: "This page has no GPU, so it shows only the CPU reference of the kernel." };
  } catch (error) {
    yield { words: failureText("The kernel did not run", error as Error), isWrong: true };
  }
}

function verdictOf(record: SortRecord, sort: KernelSort, threads: number, { description }: Gpu): KernelVerdict {
  const isSame = comparePasses(record, sort, threads);
  const isWrong = isSame.includes(false) || !hasSameResult(record, sort);
  const differing = isSame.flatMap((same, pass) => (same ? [] : [pass + 1]));
  const swaps = counted(countSwaps(record.comparators.flat()), "swap");
  const words = !isWrong
    ? `did the same with ${counted(threads, "thread")}: the same ${swaps} in the same ${counted(isSame.length, "pass")}, each by the thread that the CPU reference expects, and the same list at the end`
    : `did not do the same${differing.length > 0 ? `: look at pass ${differing.join(", ")}` : ", for it left another list"}`;
  return { words: `Your GPU (${description}) ${words}.`, isWrong, isSame, swapped: sort.swapped };
}

/** Swaps of one pass that are listed, at most. */
const maxListed = 64;

/** The swaps that the kernel made in the pass of a moment, in the order in which its threads came by. */
export function swapList({ swapped }: KernelVerdict, { step, pass }: SortProgress): HTMLElement {
  if (!swapped || step === 0) return element("div", { class: "kernel-panel" });
  const swaps = swapped[pass];
  const items = swaps.slice(0, maxListed).map(({ thread, i, l }) => {
    const item = element("li", {}, element("b", {}, `thread ${thread}`), ` ${i} ↔ ${l}`);
    return linkThings(item, `thread:${thread}`, `element:${i}`, `element:${l}`);
  });
  const more = swaps.length - items.length;
  const summary = swaps.length === 0 ? "all pairs compared, none swapped" : "its swaps in order of arrival";
  if (more > 0) items.push(element("li", {}, `and ${count(more)} more`));
  const head = element("p", { class: "kernel-head" }, `Pass ${pass + 1} on your GPU: ${summary}.`);
  const attributes = { class: "kernel-swaps", tabindex: 0, role: "list", "aria-label": "Swaps in order of arrival" };
  return element("div", { class: "kernel-panel" }, head, element("ol", attributes, ...items));
}
