import { type CodePair, codePairs } from "../../figures/codePairs.js";
import type { Twin } from "../../kernels/twinTable.js";
import { element } from "../../page/element.js";

/** A stage in words, and a function of a WGSL file next to its CPU reference. */
export async function stageCode(
  title: string,
  words: (Node | string)[],
  wgsl: CodePair["wgsl"],
  twin?: Twin,
): Promise<HTMLElement> {
  const code = await codePairs([{ wgsl, reference: twin && `${twin.file}#${twin.name}` }]);
  const paragraphs = words.map((text) => element("p", {}, text));
  return element("div", { class: "flow-chosen" }, element("h4", {}, title), ...paragraphs, code);
}
