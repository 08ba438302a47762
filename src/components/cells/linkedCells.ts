import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { element } from "../element.js";
import type { PageEdits } from "./pageEdits.js";

interface Question {
  text: string;
  accept: [label: string, then: () => void];
  refuse: [label: string, then: () => void];
}

/** Cells that have not run, as their differences from the page's own, and what is to become of them. */
export function linkedCells(
  { edits, added }: PageEdits,
  originals: ReadonlyMap<string, string>,
  question: Question,
): HTMLElement {
  const changes = Object.entries(edits).map(([id, source]) => {
    const original = originals.get(id);
    const title = original === undefined ? "a cell that this page does not have, which is left out" : "a changed cell";
    return difference(title, original ?? "", source);
  });
  const news = added.map(({ source, language }) => difference(`a new cell, ${language}`, "", source));
  const button = ([label, then]: [string, () => void], name = "") =>
    element("button", { type: "button", class: name, onclick: then }, label);
  return element(
    "div",
    { class: "linked-cells", role: "region", "aria-label": "Cells that have not run" },
    element("p", {}, question.text),
    ...changes,
    ...news,
    element("div", { class: "linked-cells-answer" }, button(question.accept), button(question.refuse, "primary")),
  );
}

function difference(title: string, original: string, source: string): HTMLElement {
  const view = new EditorView({
    doc: source,
    extensions: [
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": title }),
      unifiedMergeView({ original, mergeControls: false, gutter: true, collapseUnchanged: { margin: 2, minSize: 6 } }),
    ],
  });
  return element("figure", {}, element("figcaption", {}, title), view.dom);
}
