import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";
import { element } from "../../element.js";
import { lineOfTwin, twinText } from "../../kernels/twins.js";
import type { Twin } from "../../kernels/twinTable.js";
import { codePair } from "../codePair.js";

/** A place that shows what is chosen in a flow: words, and a function of a WGSL file beside its twin. */
export interface ChosenCode {
  readonly node: HTMLElement;
  show(chosen: {
    title: string;
    words: (Node | string)[];
    file?: string;
    /** A text on the line of the WGSL with which the excerpt begins. */
    from?: string;
    twin?: Twin | undefined;
  }): void;
}

export function chosenCode(shaders: ShaderLibrary): ChosenCode {
  const node = element("div", { class: "flow-chosen", "aria-live": "polite" });
  let latest = 0;
  return {
    node,
    show({ title, words, file, from, twin }) {
      const number = ++latest;
      const paragraphs = words.map((text) => element("p", {}, text));
      const place = element("div");
      node.replaceChildren(element("h4", {}, title), ...paragraphs, place);
      if (!file || !from) return;
      const put = (excerpt?: { file: Twin["file"]; from: string }) => {
        if (number !== latest) return;
        const pairing = { wgsl: { file, from }, marks: {}, ...(excerpt && { twin: excerpt }) };
        place.replaceChildren(codePair(shaders, pairing).node);
      };
      if (!twin) return put();
      void twinText(twin).then((text) => put({ file: twin.file, from: text.split("\n")[lineOfTwin(text, twin) - 1] }));
    },
  };
}
