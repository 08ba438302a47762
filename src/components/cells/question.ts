import { html } from "htl";
import { editor } from "../editor/editor.js";
import { button } from "../page/element.js";
import { type CellPlace, titleOf } from "./cell.js";
import type { PageEdits } from "./pageEdits.js";

/** Milliseconds until the cells can be accepted; browsers delay their own questions as long. */
const delay = 1000;

/**
 * Returns a list of cells that have not run, as differences from the page's own, and asks whether to run them. They can be
 * accepted by one deliberate press after the list was visible.
 * @param places those of the page's cells by id
 */
export function question(
  { edits, added }: PageEdits,
  places: ReadonlyMap<string, CellPlace>,
  text: string,
  refuseLabel: string,
  answer: (isAccepted: boolean) => void,
): HTMLElement {
  const accept = button("Run cells", () => accept.ariaDisabled === "false" && answer(true));
  let arming: ReturnType<typeof setTimeout> | undefined;
  const disarm = () => {
    accept.ariaDisabled = "true";
    clearTimeout(arming);
    arming = setTimeout(() => (accept.ariaDisabled = String(!document.hasFocus())), delay);
  };
  // A press that was meant for something else, or a window that has just appeared below the pointer.
  for (const type of ["click", "focus", "blur", "resize"]) addEventListener(type, disarm);
  disarm();
  const changes = Object.entries(edits).map(([id, source]) => {
    const original = places.get(id)?.original;
    if (original === undefined) return listing("Skipped: a cell that this page no longer has", source);
    return listing(`Changed: ${titleOf(original)}`, source, original);
  });
  const additions = added.map(({ source }) => listing("New", source));
  return html`<div class="cell-question" role="region" aria-label="Cells that have not run">
    <p>${text}</p>
    ${[...changes, ...additions]}
    <div class="row cell-row">${accept}${button(refuseLabel, () => answer(false))}</div>
  </div>`;
}

/** Returns a cell's source in full, marked where it differs from the page's own, with invisible characters as codes. */
function listing(title: string, source: string, original?: string): HTMLElement {
  const view = editor({ text: source, language: "typescript", label: title, readOnly: true });
  view.compareWith(original);
  return html`<figure><figcaption>${title}</figcaption>${view.node}</figure>`;
}
