import { html } from "htl";
import { type CodePair, codePairs } from "../../figures/codePairs.js";
import type { CpuReference } from "../../kernels/cpuReferenceTable.js";

/** Returns the description of a stage, and its WGSL next to its CPU reference. */
export async function stageCode(
  title: string,
  description: (Node | string)[],
  wgsl: CodePair["wgsl"],
  reference?: CpuReference,
): Promise<HTMLElement> {
  const code = await codePairs([{ wgsl, reference: reference && `${reference.file}#${reference.name}` }]);
  const paragraphs = description.map((text) => html`<p>${text}</p>`);
  return html`<div class="flow-chosen"><h4>${title}</h4>${paragraphs}${code}</div>`;
}
