// The model of the chapter workgroups.md: threads that add, append and wait, as tables. The charts are in the page.
import type { Gpu } from "../engine/gpu/device.js";
import { runKernel } from "../engine/gpu/workbench.js";
import type { Size } from "../engine/image/image.js";
import { tileGrid, tileOrigin } from "../engine/model/uv.js";

export { workgroupsExercise } from "../components/learn/exercises/workgroups.js";
export { uniformGenerator } from "../engine/random.js";

/**
 * Returns a counter after each step of threads that add 1 to it without atomics. Each loads the counter in one step, and
 * stores the sum in another. Groups of `lanes` threads run one after the other; in a group, all load before any stores.
 */
export function recordAdds(threads: number, lanes: number) {
  const registers = new Uint32Array(threads);
  const rows = [{ lanes, step: 0, counter: 0 }];
  let counter = 0;
  for (let first = 0; first < threads; first += lanes) {
    const group = registers.subarray(first, first + lanes);
    for (const thread of group.keys()) {
      group[thread] = counter;
      rows.push({ lanes, step: rows.length, counter });
    }
    for (const loaded of group) {
      counter = loaded + 1;
      rows.push({ lanes, step: rows.length, counter });
    }
  }
  return rows;
}

/**
 * Runs threads that append their index to a list, wait at the barrier, if there is one, and read the slot of their index.
 * In a step, a subgroup of `lanes` threads appends or reads. Returns the steps, counted from 1, and a row per thread: its
 * slot, the steps in which it appended and read, and the value that it read, which is absent if the slot was empty.
 * @param random chooses the next subgroup of those that do not wait
 */
export function recordWorkgroup(threads: number, lanes: number, hasBarrier: boolean, random: () => number) {
  const rows: { thread: number; slot: number; appended: number; read: number; value?: number }[] = [];
  const list: number[] = [];
  const steps: { first: number; action: "append" | "read"; slot: number }[] = [];
  const subgroups = Array.from({ length: threads / lanes }, (_, i) => ({ first: i * lanes, done: 0 }));
  while (steps.length < 2 * subgroups.length) {
    const isOpen = !hasBarrier || list.length === threads;
    const ready = subgroups.filter(({ done }) => done === 0 || (done === 1 && isOpen));
    const subgroup = ready[Math.floor(random() * ready.length)];
    const { first } = subgroup;
    const action = subgroup.done++ === 0 ? "append" : "read";
    steps.push({ first, action, slot: action === "append" ? list.length : first });
    for (let thread = first; thread < first + lanes; thread++) {
      if (action === "append") {
        rows[thread] = { thread, slot: list.length, appended: steps.length, read: 0 };
        list.push(thread);
      } else {
        rows[thread] = { ...rows[thread], read: steps.length, value: list[thread] };
      }
    }
  }
  return { threads, lanes, hasBarrier, steps, rows };
}

/** Returns a sentence on a step of a workgroup. */
export function describeStep(
  { threads, lanes, hasBarrier, steps, rows }: ReturnType<typeof recordWorkgroup>,
  step: number,
): string {
  if (step === 0) return `No thread has started, and the ${threads} slots are empty.`;
  const { first, action, slot } = steps[step - 1];
  const range = (from: number) => `${from} to ${from + lanes - 1}`;
  const intro = `Step ${step} of ${steps.length}: threads ${range(first)}`;
  if (action === "append") {
    const isLast = rows.every(({ appended }) => appended <= step);
    const wait = !hasBarrier ? "" : isLast ? " All have arrived: the barrier opens." : " They wait at the barrier.";
    return `${intro} append themselves, in slots ${range(slot)}.${wait}`;
  }
  const isEarly = rows[first].value === undefined;
  return `${intro} read slots ${range(slot)}${isEarly ? ", too early: they are empty" : ""}.`;
}

/**
 * Returns the threads of a workgroup, each with its index in the dispatch and in the workgroup, its pixel, and whether the
 * image has that pixel. CPU reference of threadPlace in shaders/shared/uv.wgsl.
 */
export function threadsOf(workgroup: number, tile: [number, number], image: Size) {
  const threads = tile[0] * tile[1];
  const origin = tileOrigin(workgroup, tileGrid(image, tile).across, tile);
  return Array.from({ length: threads }, (_, localIndex) => {
    // Threads are numbered row by row in a tile, as tiles are in an image.
    const offset = tileOrigin(localIndex, tile[0], [1, 1]);
    const pixel = { x: origin.x + offset.x, y: origin.y + offset.y };
    const inside = pixel.x < image.width && pixel.y < image.height;
    return { thread: workgroup * threads + localIndex, localIndex, pixel, inside };
  });
}

/**
 * Runs the kernel of the chapter on a GPU. Returns the list of a workgroup, its sums without and with atomics, and what the
 * compiler says if only half of the threads reach the barrier.
 */
export async function appendOnGpu(gpu: Gpu, threads: number) {
  const file = "learn/appendThreads.wgsl";
  const constants = { TILE_WIDTH: threads, TILE_HEIGHT: 1 };
  const { found } = await runKernel(gpu, { file, constants, buffers: { found: 4 * (threads + 2) } });
  const words = [...new Uint32Array(found)];
  const [sum, atomicSum] = words.slice(threads);
  const edited = gpu.shaders.get(file)!.replace("workgroupBarrier();", `if (localIndex < ${threads / 2}u) { $& }`);
  const compiled = gpu.kernel(file, constants, new Map(gpu.shaders).set(file, edited));
  const message = await compiled.then(
    () => "",
    (error: Error) => error.message,
  );
  return { list: words.slice(0, threads), sum, atomicSum, message };
}
