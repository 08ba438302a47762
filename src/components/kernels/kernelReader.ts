import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import type { PipelineName } from "../../engine/config.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

/** Returns the file in which a pipeline blends a tile's blobs. */
export function blendingKernel(pipeline: PipelineName): string {
  if (pipeline === "simple") return "simple/simpleSplatBlobs.wgsl";
  return pipeline === "binned" ? "binned/rasterize.wgsl" : "tiled/fineRasterize.wgsl";
}

/** Returns a disclosure with the text of any kernel, as it is compiled on this page. */
export function kernelReader(shaders: ShaderLibrary, first: string): HTMLElement {
  const choice = Inputs.select([...shaders.keys()].sort(), { label: "A file of shaders/", value: first });
  const code = html`<code>${shaders.get(first)}</code>`;
  choice.oninput = () => {
    code.textContent = shaders.get(choice.value)!;
  };
  return html`<details class="kernel-reader">
    <summary>Read the kernels</summary>
    ${choice}
    <pre class="kernel-text" tabindex="0" aria-label="Text of the kernel">${code}</pre>
  </details>`;
}
