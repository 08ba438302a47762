import type { ShaderLibrary } from "../../../engine/shaders.js";
import { codePairs } from "../../figures/codePairs.js";
import { lineOfTwin, twinText } from "../../kernels/twins.js";
import type { Twin } from "../../kernels/twinTable.js";
import { element } from "../../page/element.js";

/** A stage in words, and its function of a WGSL file beside its twin. */
export async function stageCode(
  shaders: ShaderLibrary,
  title: string,
  words: (Node | string)[],
  wgsl: { file: string; from: string },
  twin?: Twin,
): Promise<HTMLElement> {
  const text = twin && (await twinText(twin));
  const excerpt = twin && text && { file: twin.file, from: text.split("\n")[lineOfTwin(text, twin) - 1] };
  const code = await codePairs(shaders, [{ wgsl, marks: {}, ...(excerpt && { twin: excerpt }) }]);
  const paragraphs = words.map((text) => element("p", {}, text));
  return element("div", { class: "flow-chosen" }, element("h4", {}, title), ...paragraphs, code);
}
