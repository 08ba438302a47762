import { type CodePair, codePairs } from "../../figures/codePairs.js";
import type { CpuReference } from "../../kernels/cpuReferenceTable.js";
import { element } from "../../page/element.js";

/** Returns the description of a stage, and its WGSL next to its CPU reference. */
export async function stageCode(
  title: string,
  description: (Node | string)[],
  wgsl: CodePair["wgsl"],
  reference?: CpuReference,
): Promise<HTMLElement> {
  const code = await codePairs([{ wgsl, reference: reference && `${reference.file}#${reference.name}` }]);
  const paragraphs = description.map((text) => element("p", {}, text));
  return element("div", { class: "flow-chosen" }, element("h4", {}, title), ...paragraphs, code);
}
