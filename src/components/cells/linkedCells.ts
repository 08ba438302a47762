import { editor } from "../editor.js";
import { element } from "../element.js";
import { editorLanguages, languageNames, titleOf } from "./liveCell.js";
import type { PageEdits } from "./pageEdits.js";
import type { CellLanguage } from "./pageSource.js";

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
    return original === undefined
      ? listing("Of a cell that this page does not have; it is left out", source, "js")
      : listing(`Changed: ${titleOf(original)}`, source, "js", original);
  });
  const news = added.map(({ source, language }) => listing(`New: ${languageNames[language]}`, source, language));
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

/** A cell to be read, marked where it differs from the page's own. */
function listing(title: string, source: string, language: CellLanguage, original?: string): HTMLElement {
  const view = editor({ text: source, language: editorLanguages[language], label: title, readOnly: true });
  view.compareWith(original);
  return element("figure", {}, element("figcaption", {}, title), view.node);
}
