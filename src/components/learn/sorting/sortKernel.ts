import { html } from "htl";
import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { linkThings } from "../../figures/pointing.js";
import { count, counted } from "../../page/format.js";
import { failureText } from "../../page/help.js";
import { countSwaps, type SortProgress, type SortRecord, threadOf } from "./sortModel.js";

/** A pair that a thread of the GPU compared or swapped. */
export interface KernelPair {
  thread: number;
  i: number;
  l: number;
}

/** The result of the kernel: the list, and the pairs of each pass in order of arrival. */
type KernelSort = Awaited<ReturnType<typeof sortOnGpu>>;

const values = ["(k << 16u) | j", "(i << 16u) | l", "localIndex"];
const file = "tiled/bitonicSort.wgsl";
const probes: Probe[] = [
  { name: "compared", file, at: "let high = sh_blobs[l];", values },
  { name: "swapped", file, at: "sh_blobs[l] = low;", values },
];

/** Sorts the list of a record on the GPU with shaders/tiled/bitonicSort.wgsl and probes. */
export async function sortOnGpu(
  gpu: Gpu,
  { inputLength, n, passes, arrangements }: SortRecord,
  [TILE_WIDTH, TILE_HEIGHT]: readonly [number, number],
) {
  const kernel = {
    file: "learn/sort.wgsl",
    constants: { GAUSSIANS_PER_BLOCK: n, TILE_WIDTH, TILE_HEIGHT },
    buffers: { given: arrangements[0].numbers.slice(0, inputLength), sorted: 4 * n },
  };
  const { events, buffers } = await traceKernel(gpu, kernel, probes, 2 * passes.length * (n / 2));
  const pairsOf = (probe: string): KernelPair[][] => {
    const byPass = new Map(passes.map(({ k, j }) => [(k << 16) | j, [] as KernelPair[]]));
    for (const event of events) {
      const [pass, pair, thread] = event.values;
      if (event.probe === probe) byPass.get(pass)!.push({ thread, i: pair >>> 16, l: pair & 0xffff });
    }
    return [...byPass.values()];
  };
  return { sorted: new Uint32Array(buffers.sorted), compared: pairsOf("compared"), swapped: pairsOf("swapped") };
}

/**
 * Returns for each pass whether the kernel compared and swapped exactly the pairs of the record, each by the thread that
 * strides over its first place.
 */
export function comparePasses(
  { comparators }: SortRecord,
  { compared, swapped }: KernelSort,
  threads: number,
): boolean[] {
  const same = (expected: { i: number; l: number }[], actual: KernelPair[]) => {
    const keys = expected.map((pair) => `${pair.i} ${pair.l} ${threadOf(pair, threads)}`);
    const kernelKeys = actual.map(({ i, l, thread }) => `${i} ${l} ${thread}`);
    return keys.sort().join() === kernelKeys.sort().join();
  };
  return comparators.map((all, pass) => {
    const swaps = all.filter(({ swapped }) => swapped);
    return same(all, compared[pass]) && same(swaps, swapped[pass]);
  });
}

/** Whether the kernel's list equals that of the record at the end. */
export function hasSameResult({ arrangements }: SortRecord, { sorted }: KernelSort): boolean {
  return arrangements.at(-1)!.numbers.join() === sorted.join();
}

/** The comparison of the kernel with the CPU reference. */
export interface KernelVerdict {
  words: string | Node;
  isSame?: boolean[];
  swapped?: KernelPair[][];
}

/**
 * Sorts the same list on the reader's GPU, for a cell.
 * @param visibility Framework's, which resolves when the cell is visible
 */
export async function* sortOnReaderGpu(
  engine: BrowserEngine,
  record: SortRecord,
  workgroup: readonly [number, number],
  visibility: () => Promise<unknown>,
): AsyncGenerator<KernelVerdict> {
  if (engine.kind !== "cpu") {
    yield { words: "Your GPU sorts …" };
    await visibility();
  }
  try {
    const gpu = await pageGpu(engine);
    if (gpu) yield verdictOf(record, await sortOnGpu(gpu, record, workgroup), workgroup[0] * workgroup[1], gpu);
    else yield { words: "This page has no GPU, so it shows only the CPU reference of the kernel." };
  } catch (error) {
    yield { words: html`<span class="wrong">${failureText("The kernel did not run", error as Error)}</span>` };
  }
}

function verdictOf(record: SortRecord, sort: KernelSort, threads: number, { description }: Gpu): KernelVerdict {
  const isSame = comparePasses(record, sort, threads);
  const isWrong = isSame.includes(false) || !hasSameResult(record, sort);
  const differing = isSame.flatMap((same, pass) => (same ? [] : [pass + 1]));
  const swaps = counted(countSwaps(record.comparators.flat()), "swap");
  const outcome = !isWrong
    ? `did the same with ${counted(threads, "thread")}: the same ${swaps} in the same ${counted(isSame.length, "pass")}, each by the thread that the CPU reference expects, and the same list at the end`
    : `did not do the same${differing.length > 0 ? `: look at pass ${differing.join(", ")}` : ", for it left another list"}`;
  const sentence = `Your GPU (${description}) ${outcome}.`;
  const words = isWrong ? html`<span class="wrong">${sentence}</span>` : sentence;
  return { words, isSame, swapped: sort.swapped };
}

/** The most swaps that are listed. */
const maxListed = 64;

/** Returns the swaps of the kernel in the current pass, in order of arrival. */
export function swapList({ swapped }: KernelVerdict, { step, pass }: SortProgress): HTMLElement {
  if (!swapped || step === 0) return html`<div class="kernel-panel">`;
  const swaps = swapped[pass];
  const items = swaps.slice(0, maxListed).map(({ thread, i, l }) => {
    const item = html`<li><b>thread ${thread}</b> ${i} ↔ ${l}</li>`;
    return linkThings(item, `thread:${thread}`, `element:${i}`, `element:${l}`);
  });
  const more = swaps.length - items.length;
  const summary = swaps.length === 0 ? "all pairs compared, none swapped" : "its swaps in order of arrival";
  if (more > 0) items.push(html`<li>and ${count(more)} more</li>`);
  return html`<div class="kernel-panel"><p>Pass ${pass + 1} on your GPU: ${summary}.</p>
    <ol class="kernel-swaps" tabindex="0" role="list" aria-label="Swaps in order of arrival">${items}</ol></div>`;
}
