import { ShaderError, type ShaderLibrary } from "../../../engine/shaders.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";
import { element } from "../../page/element.js";

/** An order of the stages that a kernel may try. */
export type StageOrder = (typeof stageOrders)[number];

const calls: ((token: string) => string)[] = [
  () => "initShortList(localIndex)",
  (token) => `coarseRasterize(${token}, window, tile, localIndex)`,
  (token) => `padBuffer(${token}, localIndex)`,
  (token) => `bitonicSort(${token}, localIndex)`,
  (token) => `fineRasterize(${token}, sh_blobCount, uv, clearPixelState())`,
];
const results = ["emptied", "filled", "padded", "sorted", "pixel"];
const lastStage = calls.length - 1;

/** The right order of the stages, and those in which two neighbours are swapped or one is left out. */
export const stageOrders = [
  { name: "correct order", stages: [0, 1, 2, 3, 4] },
  { name: "pad, then gather", stages: [0, 2, 1, 3, 4] },
  { name: "sort, then pad", stages: [0, 1, 3, 2, 4] },
  { name: "blend, then sort", stages: [0, 1, 2, 4, 3] },
  { name: "without gather", stages: [0, 2, 3, 4] },
  { name: "without pad", stages: [0, 1, 3, 4] },
  { name: "without sort", stages: [0, 1, 2, 4] },
];

/** The file under which the kernel is compiled. */
export const orderFile = "learn/order.wgsl";

/** A kernel that runs the stages in an order; each is given the list as the one before it left it. */
export function orderedKernel({ stages }: StageOrder): string {
  let token = "";
  const body = stages.map((stage) => {
    const line = `  let ${results[stage]} = ${calls[stage](token)};`;
    // Blending leaves a pixel, not a list.
    if (stage !== lastStage) token = results[stage];
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
export function libraryWithOrder(shaders: ShaderLibrary, order: StageOrder): ShaderLibrary {
  return new Map(shaders).set(orderFile, orderedKernel(order));
}

/** What the compiler says of an order, and the lines that it refuses. */
interface CompileResult {
  message: string;
  state: "compiling" | "compiled" | "refused" | "untried";
  lines: number[];
}

/** Lets the reader's own compiler judge an order of the stages. */
export async function* compileOrder(
  engine: BrowserEngine,
  order: StageOrder,
): AsyncGenerator<CompileResult, void, void> {
  yield { message: "Compiling on this machine …", state: "compiling", lines: [] };
  const gpu = await pageGpu(engine);
  if (!gpu) {
    const message =
      "This page has no GPU, so nothing can be compiled here. A browser with WebGPU includes the compiler.";
    return yield { message, state: "untried", lines: [] };
  }
  try {
    await gpu.kernel(orderFile, { GAUSSIANS_PER_BLOCK: 64 }, libraryWithOrder(engine.shaders, order));
    yield { message: "It compiles: each stage gets what the one before it returns.", state: "compiled", lines: [] };
  } catch (error) {
    const messages = error instanceof ShaderError ? error.messages : [];
    const errorText = messages.map(({ line, text }) => `Line ${line}: ${text}`).join("\n");
    const words = `The compiler on your machine rejects it. ${errorText || (error as Error).message}`;
    const lines = messages.flatMap(({ file, line }) => (file === orderFile ? [line] : []));
    yield { message: words, state: "refused", lines };
  }
}

/** The kernel that calls the stages in an order, and the compiler's verdict. */
export function orderReport(order: StageOrder, { message: words, state, lines }: CompileResult): HTMLElement {
  const code = orderedKernel(order)
    .trimEnd()
    .split("\n")
    .map((text, index) =>
      element("span", { class: `code-line${lines.includes(index + 1) ? " wrong-line" : ""}` }, text),
    );
  const attributes = { class: "code-text", tabindex: 0, role: "group", "aria-label": "WGSL of the kernel" };
  return element(
    "div",
    { class: "token-proof" },
    element("pre", attributes, element("code", {}, ...code)),
    element("p", { class: "token-verdict", "data-state": state, role: "status" }, words),
  );
}
