import { html } from "htl";
import { ShaderError, type ShaderLibrary } from "../../../engine/shaders.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { pageGpu } from "../../../host/browser/pageGpu.js";

/** An order of the stages to compile. */
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

/** The correct order of the stages, and orders with two neighbours swapped or one stage omitted. */
export const stageOrders = [
  { name: "correct order", stages: [0, 1, 2, 3, 4] },
  { name: "pad, then gather", stages: [0, 2, 1, 3, 4] },
  { name: "sort, then pad", stages: [0, 1, 3, 2, 4] },
  { name: "blend, then sort", stages: [0, 1, 2, 4, 3] },
  { name: "without gather", stages: [0, 2, 3, 4] },
  { name: "without pad", stages: [0, 1, 3, 4] },
  { name: "without sort", stages: [0, 1, 2, 4] },
];

/** File name of the kernel. */
export const orderFile = "learn/order.wgsl";

/** Returns the WGSL of a kernel that calls the stages in an order; each takes the token that the previous one returns. */
export function orderedKernel({ stages }: StageOrder): string {
  let token = "";
  const body = stages.map((stage) => {
    const line = `  let ${results[stage]} = ${calls[stage](token)};`;
    // Blending returns a pixel, not a token.
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

/** Returns the shader library with this kernel. */
export function libraryWithOrder(shaders: ShaderLibrary, order: StageOrder): ShaderLibrary {
  return new Map(shaders).set(orderFile, orderedKernel(order));
}

/** The compiler's message on an order, and the lines that it rejects. */
interface CompileResult {
  message: string;
  state: "compiling" | "compiled" | "rejected" | "untried";
  lines: number[];
}

/** Compiles an order of the stages on the reader's machine. */
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
    const message = `The compiler on your machine rejects it. ${errorText || (error as Error).message}`;
    const lines = messages.flatMap(({ file, line }) => (file === orderFile ? [line] : []));
    yield { message, state: "rejected", lines };
  }
}

/** Returns the code of the kernel and the compiler's message. */
export function orderReport(order: StageOrder, { message, state, lines }: CompileResult): HTMLElement {
  const code = orderedKernel(order)
    .trimEnd()
    .split("\n")
    .map((text, i) =>
      lines.includes(i + 1)
        ? html`<mark class="code-line wrong-line">${text}</mark>`
        : html`<span class="code-line">${text}</span>`,
    );
  return html`<div class="token-proof">
    <pre class="code-text" tabindex="0" role="group" aria-label="WGSL of the kernel"><code>${code}</code></pre>
    <p class="token-verdict" data-state=${state} role="status">${message}</p>
  </div>`;
}
