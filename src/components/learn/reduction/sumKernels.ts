import { defaults } from "../../../engine/config.js";
import type { Gpu } from "../../../engine/gpu/device.js";
import { type Probe, traceKernel } from "../../../engine/gpu/trace.js";
import { dispatchUniform, jobUniform } from "../../../engine/gpu/uniforms.js";
import { type BenchKernel, runKernel } from "../../../engine/gpu/workbench.js";

const file = "learn/sumGradients.wgsl";
const accumulate = "shared/accumulate.wgsl";

/** The gradients of one raw parameter at the pixels of some tiles, tile by tile. */
export interface TileGradients {
  values: Float32Array;
  threads: number;
  tiles: number;
}

const onePixel = { width: 1, height: 1 };

/** Returns a kernel that sums gradients with accumulate.wgsl, a workgroup per tile, `runs` times in one dispatch. */
function sumKernel(
  { shaders }: Gpu,
  { values, threads, tiles }: TileGradients,
  runs: number,
  largest: number,
): BenchKernel {
  return {
    file,
    constants: { TILE_WIDTH: threads, TILE_HEIGHT: 1, LARGEST_GRADIENT: Math.min(largest, 1e30) },
    buffers: {
      job: jobUniform(shaders, defaults, onePixel),
      gradients: 4 * runs,
      pixelGradients: values,
    },
    workgroups: [tiles, runs],
  };
}

/**
 * Returns the sum of each run. The tiles of a run add to one word, in the order in which the workgroups arrive.
 */
export async function racedSums(
  gpu: Gpu,
  tileGradients: TileGradients,
  runs: number,
  largest: number,
): Promise<Float32Array> {
  const { gradients: sums } = await runKernel(gpu, sumKernel(gpu, tileGradients, runs, largest));
  return new Float32Array(sums, 0, runs);
}

/** Returns the sum of each run; runs add the sums of the tiles in order, as the binned pipeline adds its slots. */
export async function slotSums(gpu: Gpu, tileSums: Float32Array, runs: number): Promise<Float32Array> {
  const slots = gpu.struct("Slot").encode(Array.from(tileSums, (c) => ({ c, step: 1 })));
  const range = { size: onePixel, first: 0, end: 1, step: 1 };
  const { sums } = await runKernel(gpu, {
    file: "learn/addSlots.wgsl",
    constants: { SLOTS: tileSums.length },
    buffers: {
      dispatch: dispatchUniform(gpu.shaders, [range], defaults),
      slots,
      sums: 4 * runs,
    },
    workgroups: Math.ceil(runs / 64),
  });
  return new Float32Array(sums, 0, runs);
}

const additionProbe: Probe = {
  name: "adds",
  file: accumulate,
  at: "sh_reduction[localIndex] += sh_reduction[localIndex + stride];",
  values: ["stride", "localIndex", "bitcast<u32>(sh_reduction[localIndex])"],
};

/** Runs treeReduce on one workgroup's values; returns each addition with the bits of its result. */
export async function traceReduction(gpu: Gpu, values: Float32Array, largest: number) {
  const kernel = sumKernel(gpu, { values, threads: values.length, tiles: 1 }, 1, largest);
  const { events, buffers } = await traceKernel(gpu, kernel, [additionProbe], 2 * values.length);
  const additions = events.map(({ values: [stride, thread, value] }) => ({ stride, thread, value }));
  return { additions, sum: new Float32Array(buffers.gradients)[0] };
}

const swapProbes: Probe[] = [
  { name: "loads", file: accumulate, at: "var seen = atomicLoad(", values: ["tile", "seen"] },
  {
    name: "swaps",
    file: accumulate,
    at: "let swap = atomicCompareExchangeWeak(",
    values: ["tile", "seen", "u32(swap.exchanged)", "swap.old_value"],
  },
];

/**
 * Lets threads, each in its own workgroup, add their value to one word. Returns the load and the swaps of each thread:
 * the bits that it had seen, and for a swap whether it succeeded and the bits that it found.
 * @throws Error if there are more events than the buffer holds, which takes spurious failures of swaps
 */
export async function traceSwaps(gpu: Gpu, values: Float32Array) {
  const kernel = sumKernel(gpu, { values, threads: 1, tiles: values.length }, 1, Number.POSITIVE_INFINITY);
  // A load per thread; in the worst case each successful swap makes all others fail.
  const maxEvents = values.length + (values.length * (values.length + 1)) / 2;
  const { events, count, buffers } = await traceKernel(gpu, kernel, swapProbes, 2 * maxEvents);
  if (count > events.length) throw new Error(`The kernel recorded ${count} events, more than the buffer can hold.`);
  const actions = events.map(({ probe, values: [thread, seen, exchanged, found] }) => {
    return probe === "loads" ? { thread, seen } : { thread, seen, exchanged: exchanged === 1, found };
  });
  const swaps = actions.filter(({ found }) => found !== undefined);
  const retries = swaps.filter(({ exchanged }) => !exchanged).length;
  return { actions, swaps: swaps.length, retries, sum: new Float32Array(buffers.gradients)[0] };
}
