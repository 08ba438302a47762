import { html } from "htl";
import { type CodePair, codePairs } from "../../figures/codePairs.js";
import type { CpuReference } from "../../kernels/kernelHeader.js";

/** Returns the description of a stage, and its WGSL next to its CPU reference, as parts of a figure. */
export async function stageParts(
  title: string,
  description: (Node | string)[],
  wgsl: CodePair["wgsl"],
  reference?: CpuReference,
): Promise<{ Description: HTMLElement; Code: HTMLElement }> {
  const code = await codePairs([{ wgsl, reference: reference && `${reference.file}#${reference.name}` }]);
  const paragraphs = description.map((text) => html`<p>${text}</p>`);
  return { Description: html`<div class="flow-chosen"><h4>${title}</h4>${paragraphs}</div>`, Code: code };
}
