import type { Gpu } from "../../../engine/gpu/device.js";
import { traceKernel } from "../../../engine/gpu/trace.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import { type BenchKernel, runKernel } from "../../../engine/gpu/workbench.js";
import { coarseRasterize, initShortList } from "../../../engine/model/shortList.js";
import { runToEnd } from "../../../engine/model/tileLists.js";
import { uniformGenerator } from "../../../engine/random.js";
import { count, counted } from "../../page/format.js";
import { handTiles } from "./handScene.js";
import { boundsOf, type TileScene } from "./tileScene.js";

/** What the threads of a workgroup look at at once: a blob each, as far as there are any. */
export type Batch = ReturnType<typeof gatherBatches>[number];

/** Gathers a tile's list with some threads, in step: what coarseRasterize's twin does, a turn of the loop at a time. */
export function gatherBatches({ boxes, ...scene }: TileScene, tile: number, threads: number) {
  const list = initShortList(boxes.length);
  const bounds = boundsOf(scene, tile);
  return Array.from({ length: Math.ceil(boxes.length / threads) }, (_, iteration) => {
    // Thread i − start has blob i.
    const start = iteration * threads;
    const end = Math.min(start + threads, boxes.length);
    const before = list.blobCount;
    coarseRasterize(list, boxes, bounds, start, end);
    // In the order in which threads in step append them.
    const appended = Array.from(list.blobs.subarray(before, list.blobCount));
    return { start, end, appended, count: list.blobCount };
  });
}

/** A turn of the strided loop as a sentence; before the first, and behind the last, what the barriers are there for. */
export function describeIteration(batches: Batch[], threads: number, index: number): string {
  if (index === 0) {
    return `${counted(threads, "thread")} wait at the barrier until the counter is 0.`;
  }
  if (index > batches.length) {
    return `All threads wait for each other again. Thread 0 copies the counter, ${batches.at(-1)!.count}, to a variable that all of them read. The list is complete.`;
  }
  const { start, end, appended, count: total } = batches[index - 1];
  const idleThreads = threads - (end - start);
  const action =
    start + 1 === end
      ? `Thread 0 tests blob ${start}`
      : `Threads 0 to ${end - start - 1} test blobs ${start} to ${end - 1}`;
  const idleText =
    idleThreads > 0 ? ` and ${counted(idleThreads, "thread")} ${idleThreads === 1 ? "has" : "have"} none` : "";
  const found = appended.length === 0 ? "none" : appended.join(", ");
  return `Iteration ${index} of ${batches.length}: ${action}${idleText}; ${found} ${appended.length > 1 ? "meet" : "meets"} the tile. The counter is ${total}.`;
}

/** The tile of so many threads, a thread a pixel, that is nearest to a square. */
export function tileOfThreads(threads: number): [number, number] {
  let height = Math.floor(Math.sqrt(threads));
  while (threads % height !== 0) height--;
  return [threads / height, height];
}

/** Pixels of a side of the picture, about: whole tiles cover it. */
const side = 16;

/** Blobs at random on a small picture whose tiles have a pixel for each thread. */
export function strideScene(threads: number, blobs: number, seed: number): TileScene {
  const tile = tileOfThreads(threads);
  const [width, height] = tile.map((length) => length * Math.max(1, Math.round(side / length)));
  const random = uniformGenerator(seed);
  const scale = Math.sqrt(width * height) / side;
  const randomBlobs = Array.from({ length: blobs }, () => ({
    x: width * random(),
    y: height * random(),
    length: scale * (0.5 + 0.8 * random()),
    width: scale * (0.4 + 0.2 * random()),
    angle: 180 * random(),
    color: [0.2 + 0.6 * random(), 0.2 + 0.6 * random(), 0.2 + 0.6 * random()] as [number, number, number],
    opacity: 0.8,
  }));
  return runToEnd(handTiles(randomBlobs, tile, { width, height }, "random"));
}

/** A thread has put a blob into a slot of the list. */
export interface AppendedBlob {
  thread: number;
  blob: number;
  slot: number;
}

/** The blobs from which a tile's list is gathered. */
type GatherSource = Pick<TileScene, "config" | "size" | "parameters">;

/** The first two stages of the tiled pipeline on one tile. */
function gatherKernel(
  { shaders }: Gpu,
  { config, size, parameters }: GatherSource,
  tile: number,
  capacity: number,
): BenchKernel {
  const [TILE_WIDTH, TILE_HEIGHT] = config.tile;
  const range = { size, first: tile, end: tile + 1, step: 1 };
  return {
    file: "learn/gatherTile.wgsl",
    constants: { ...modelConstants(config), TILE_WIDTH, TILE_HEIGHT, GAUSSIANS_PER_BLOCK: capacity },
    buffers: {
      job: jobUniform(shaders, config, size),
      dispatch: dispatchUniform(shaders, [range], config),
      parameters,
      gathered: 4 * (capacity + 1),
    },
  };
}

/**
 * Gathers a tile's list on a GPU by the kernel that trains, with a probe where it appends.
 * @param capacity of the list; what does not fit is counted alone
 * @returns who appended which blob where, in the order of the slots, and how many blobs meet the tile
 */
export async function traceGather(
  gpu: Gpu,
  scene: TileScene,
  tile: number,
  capacity: number,
): Promise<{ appended: AppendedBlob[]; count: number }> {
  const probe = {
    name: "append",
    file: "tiled/coarseRasterize.wgsl",
    at: "sh_blobs[slot] = i;",
    values: ["localIndex", "i", "slot"],
  };
  const { events, buffers } = await traceKernel(gpu, gatherKernel(gpu, scene, tile, capacity), [probe], capacity);
  const appended = events.map(({ values: [thread, blob, slot] }) => ({ thread, blob, slot }));
  return { appended: appended.sort((a, b) => a.slot - b.slot), count: new Uint32Array(buffers.gathered)[0] };
}

/** The same without the probe: the blobs as they stand in the list before it is sorted. */
export async function gatherOnGpu(gpu: Gpu, scene: GatherSource, tile: number, capacity: number): Promise<Uint32Array> {
  const { gathered: buffer } = await runKernel(gpu, gatherKernel(gpu, scene, tile, capacity));
  const [count, ...slots] = new Uint32Array(buffer);
  return Uint32Array.from(slots.slice(0, Math.min(count, capacity)));
}

/**
 * Gathers a tile's list on a GPU until it has been so many times, and tells the last order in which it came, and in a
 * sentence how many there were, and how often that of threads in step.
 */
export function gatherTally(scene: TileScene, tile: number, inStep: number[]) {
  /** By its blobs in order: how often. */
  const orders = new Map<string, number>();
  let total = 0;
  let appended: AppendedBlob[] = [];
  return async (gpu: Gpu, times: number, signal: AbortSignal) => {
    for (; total < times && !signal.aborted; total++) {
      ({ appended } = await traceGather(gpu, scene, tile, scene.blobs.length));
      const key = appended.map(({ blob }) => blob).join();
      orders.set(key, (orders.get(key) ?? 0) + 1);
    }
    const inStepCount = orders.get(inStep.join()) ?? 0;
    const ordersText =
      total === 1 ? "" : orders.size === 1 ? "all in one order, " : `in ${count(orders.size)} orders, `;
    const frequency =
      inStepCount === 0
        ? total === 1
          ? "not"
          : "never"
        : inStepCount < total
          ? counted(inStepCount, "time")
          : total === 1
            ? "just"
            : "always";
    return {
      appended,
      message: `${counted(total, "run")} of the kernel, ${ordersText}${frequency} in the order of threads in lockstep.`,
    };
  };
}
