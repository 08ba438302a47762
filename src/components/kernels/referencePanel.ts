import { html } from "htl";
import type { Editor } from "../editor/editor.js";
import { referenceLine, referenceText } from "./cpuReferences.js";
import { fileTabs } from "./fileTabs.js";
import type { CpuReference } from "./kernelHeader.js";

/** A panel with one of several CPU references, in a read-only editor. */
type ReferencePanel = HTMLElement & {
  /** Replaces the references. */
  show(references: readonly CpuReference[], chosen?: CpuReference): Promise<void>;
};

/** Returns an empty panel for CPU references. */
export function referencePanel(): ReferencePanel {
  let shown: CpuReference | undefined;
  let editorOfShown: Editor | undefined;
  const tabs = fileTabs("CPU references");
  const slot = html`<div class="editor-slot"></div>`;
  const show = async (references: readonly CpuReference[], chosen = references.at(0)) => {
    shown = chosen;
    tabs.show(
      references.map((one) => ({
        text: `${one.name} in ${one.file}`,
        isChosen: one === chosen,
        choose: () => void show(references, one),
      })),
    );
    if (!chosen) return slot.replaceChildren(html`<p>This file has no CPU reference.</p>`);
    const [text, { editor }] = await Promise.all([referenceText(chosen.file), import("../editor/editor.js")]);
    if (shown !== chosen) return;
    editorOfShown?.destroy();
    const label = `CPU reference ${chosen.name} in ${chosen.file}`;
    editorOfShown = editor({ text, language: "typescript", label, readOnly: true });
    slot.replaceChildren(editorOfShown.node);
    editorOfShown.reveal(referenceLine(text, chosen));
  };
  const node = html`<section class="card desk-reference">
    <h3>CPU reference (TypeScript)</h3>${[tabs, slot]}
  </section>`;
  return Object.assign(node, { show });
}
