import type { Bindings } from "../../../engine/gpu/device.js";
import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";

/** An order of the stages that a kernel may try. */
export interface StageOrder {
  name: string;
  /** Indices of the stages of a list, from the right order. */
  stages: number[];
}

const calls: ((token: string) => string)[] = [
  () => "initShortList(localIndex)",
  (token) => `coarseRasterize(${token}, window, tile, localIndex)`,
  (token) => `padBuffer(${token}, localIndex)`,
  (token) => `bitonicSort(${token}, localIndex)`,
  (token) => `fineRasterize(${token}, sh_blobCount, uv, clearPixelState())`,
];
const results = ["emptied", "filled", "padded", "sorted", "pixel"];
const last = calls.length - 1;

/** The right order, and those in which two neighbours are swapped or one is left out. */
export const stageOrders: StageOrder[] = [
  { name: "as it should be", stages: [0, 1, 2, 3, 4] },
  { name: "pad, then gather", stages: [0, 2, 1, 3, 4] },
  { name: "sort, then pad", stages: [0, 1, 3, 2, 4] },
  { name: "blend, then sort", stages: [0, 1, 2, 4, 3] },
  { name: "do not gather", stages: [0, 2, 3, 4] },
  { name: "do not pad", stages: [0, 1, 3, 4] },
  { name: "do not sort", stages: [0, 1, 2, 4] },
];

/** The file under which the kernel is compiled. */
export const orderFile = "learn/order.wgsl";

/** A kernel that runs the stages in an order; each is given the list as the one before it left it. */
export function orderedKernel({ stages }: StageOrder): string {
  let token = "";
  const body = stages.map((stage) => {
    const line = `  let ${results[stage]} = ${calls[stage](token)};`;
    // Blending leaves a pixel, not a list.
    if (stage !== last) token = results[stage];
    return line;
  });
  return `#import tiled/coarseRasterize.wgsl
#import tiled/padBuffer.wgsl
#import tiled/bitonicSort.wgsl
#import tiled/fineRasterize.wgsl

@compute @workgroup_size(TILE_WIDTH, TILE_HEIGHT)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let window = Window(0u, job.blobCount);
  let tile = OrientedBox(vec2f(0.5), vec2f(1.0, 0.0), vec2f(0.5));
  let uv = vec2f(0.5);
${body.join("\n")}
}
`;
}

/** The project's files and this kernel. */
export function libraryOf(shaders: ShaderLibrary, order: StageOrder): ShaderLibrary {
  return new Map(shaders).set(orderFile, orderedKernel(order));
}

/** What the kernel binds: the job, the dispatch, the parameters, and the gradients of a file that it imports. */
export const orderBindings: Bindings = { 0: "uniform", 1: "uniform", 2: "read-only-storage", 3: "storage" };
