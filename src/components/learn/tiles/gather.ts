import type { Gpu } from "../../../engine/gpu/device.js";
import { traceKernel } from "../../../engine/gpu/trace.js";
import { dispatchUniform, jobUniform, modelConstants } from "../../../engine/gpu/uniforms.js";
import { type BenchKernel, runKernel } from "../../../engine/gpu/workbench.js";
import { coarseRasterize, initShortList } from "../../../engine/model/shortList.js";
import { runToEnd } from "../../../engine/model/tileLists.js";
import { uniformGenerator } from "../../../engine/random.js";
import { count, counted } from "../../page/format.js";
import { type HandBlob, handTiles } from "./handScene.js";
import { boundsOf, type TileScene } from "./tileScene.js";

/** The blobs that the threads of a workgroup test in one iteration of the strided loop. */
export type Batch = ReturnType<typeof gatherBatches>[number];

/** Gathers a tile list as threads in lockstep do, with coarseRasterize of the CPU reference, iteration by iteration. */
export function gatherBatches({ boxes, ...scene }: TileScene, tile: number, threads: number) {
  const list = initShortList(boxes.length);
  const bounds = boundsOf(scene, tile);
  return Array.from({ length: Math.ceil(boxes.length / threads) }, (_, iteration) => {
    // Thread i − start has blob i.
    const start = iteration * threads;
    const end = Math.min(start + threads, boxes.length);
    const before = list.blobCount;
    coarseRasterize(list, boxes, bounds, start, end);
    return { start, end, appended: [...list.blobs.subarray(before, list.blobCount)], count: list.blobCount };
  });
}

/** Returns an iteration of the strided loop as a sentence; what the barriers do before the first and after the last. */
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

/** Returns the size of the tile nearest to a square that has a pixel for each thread. */
export function tileOfThreads(threads: number): [number, number] {
  let height = Math.floor(Math.sqrt(threads));
  while (threads % height !== 0) height--;
  return [threads / height, height];
}

/** The approximate size of the image, in pixels; it is rounded to whole tiles. */
const side = 16;

/** Returns random blobs on a small image, with tiles that have a pixel for each thread. */
export function strideScene(threads: number, blobs: number, seed: number): TileScene {
  const tile = tileOfThreads(threads);
  const [width, height] = tile.map((length) => length * Math.max(1, Math.round(side / length)));
  const random = uniformGenerator(seed);
  const scale = Math.sqrt(width * height) / side;
  const channel = () => 0.2 + 0.6 * random();
  const randomBlobs = Array.from(
    { length: blobs },
    (): HandBlob => ({
      x: width * random(),
      y: height * random(),
      length: scale * (0.5 + 0.8 * random()),
      width: scale * (0.4 + 0.2 * random()),
      angle: 180 * random(),
      color: [channel(), channel(), channel()],
      opacity: 0.8,
    }),
  );
  return runToEnd(handTiles(randomBlobs, tile, { width, height }, "random"));
}

/** An append: which thread stored which blob in which slot of the list. */
export interface AppendedBlob {
  thread: number;
  blob: number;
  slot: number;
}

type GatherSource = Pick<TileScene, "config" | "size" | "parameters">;

/** Returns the first two stages of the tiled pipeline on one tile. */
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
 * Gathers a tile list on a GPU with the kernel of the tiled pipeline and a probe at its append.
 * @param capacity of the list; blobs that do not fit are only counted
 * @returns the appends in the order of their slots, and the number of blobs that meet the tile
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

/** Returns the list that the kernel gathers without a probe, unsorted. */
export async function gatherOnGpu(gpu: Gpu, scene: GatherSource, tile: number, capacity: number): Promise<Uint32Array> {
  const { gathered: buffer } = await runKernel(gpu, gatherKernel(gpu, scene, tile, capacity));
  const [count, ...slots] = new Uint32Array(buffer);
  return Uint32Array.from(slots.slice(0, Math.min(count, capacity)));
}

/**
 * Returns a function that runs the kernel until it has run a number of times. It returns the appends of the last run, and
 * a sentence with the number of different orders, and how often the order was that of threads in lockstep.
 */
export function gatherTally(scene: TileScene, tile: number, inStep: number[]) {
  /** The number of runs by the order of the blobs. */
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
    const frequency = inStepCount === 0 ? "never" : inStepCount === total ? "always" : counted(inStepCount, "time");
    const message =
      total === 1
        ? `1 run of the kernel, ${inStepCount === 0 ? "not" : "just"} in the order of threads in lockstep.`
        : `${counted(total, "run")} of the kernel, ${orders.size === 1 ? "all in one order" : `in ${count(orders.size)} orders`}, ${frequency} in the order of threads in lockstep.`;
    return { appended, message };
  };
}
