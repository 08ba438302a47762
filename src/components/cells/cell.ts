import { html } from "htl";
import { editor } from "../editor/editor.js";
import { button } from "../page/element.js";
import { showError } from "../page/help.js";
import { type CellError, compile } from "./compile.js";
import { clear, type Notebook } from "./notebook.js";
import type { AddedCell } from "./pageEdits.js";
import { templates } from "./templates.js";

/** Where a cell is in its page. */
export interface CellPlace {
  /** The id of a cell of the page, or the edit that added the cell. */
  key: string | AddedCell;
  /** Holds what the cell displays. */
  block: Element;
  /** The first and the last element of the cell. */
  first: Element;
  last: Element;
  /** The page's source and listing of the cell; none for a cell that the reader added. */
  original?: string;
  listing?: HTMLElement;
}

/** The page of cells. */
interface CellPage {
  readonly notebook: Notebook;
  /** Saves the text of a cell, whether it has run or not; "" for a deleted one. */
  save(place: CellPlace, text: string): void;
  /** Adds a cell above or below another one. */
  add(source: string, next: CellPlace, isAbove: boolean): void;
}

export type Cell = ReturnType<typeof cellEditor>;

/** Shows an editor of a cell, in front of the listing that it replaces. */
export function cellEditor(place: CellPlace, given: string, page: CellPage) {
  const { block, listing, original } = place;
  const { notebook } = page;
  const values = notebook.values();
  /** The text that ran last. */
  let ran = original;
  let isDeleted = false;

  const open = (isOpen = true) => {
    node.hidden = !isOpen;
    if (listing) listing.hidden = isOpen;
  };
  const show = () => {
    const text = source.text();
    const title = titleOf(original ?? text);
    node.ariaLabel = `Cell ${title}`;
    node.classList.toggle("is-deleted", isDeleted);
    deletion.textContent = isDeleted ? "Restore" : "Delete";
    state.textContent = isDeleted ? `${title} is deleted` : text === ran ? "" : "not run";
  };
  const change = () => {
    page.save(place, isDeleted ? "" : source.text());
    show();
  };
  const showResult = (error?: CellError, remark = "") => {
    const { line, column = 1 } = error ?? {};
    const where = line ? `Line ${line}, column ${column}: ` : "";
    showError(message, error ? `${where}${error.message}${remark}` : "", "A cell fails");
    message.classList.toggle("is-waiting", error?.name === "");
    source.showMessages(line ? [{ line, column, type: "error", text: error!.message }] : []);
    if (error) open();
    show();
  };
  /**
   * Runs the text. If it cannot be compiled, the definition in use stays.
   * @param needsNames whether the definition also stays if the text refers to unknown names
   */
  const run = async (needsNames = ran !== undefined) => {
    const text = source.text();
    isDeleted = false;
    change();
    try {
      const compiled = await compile(text);
      if (text !== source.text() || isDeleted) return;
      notebook.define(block, compiled, needsNames, showResult);
      ran = text;
      showResult();
    } catch (error) {
      showResult(error as CellError, ran === undefined ? "" : " The previous version stays in use.");
    }
  };
  /** Returns to the page's own source, and closes the editor. */
  const revert = () => {
    source.setText(original!);
    if (ran === original) showResult();
    else void run();
    open(false);
  };
  const remove = () => {
    notebook.delete(block);
    clear(block);
    ran = undefined;
    isDeleted = true;
    change();
    showResult();
  };

  const source = editor({
    text: given,
    language: "typescript",
    label: `Source of the cell ${titleOf(original ?? given)}`,
    scope: values,
    onChange: change,
    onRun: () => {
      void run();
      return true;
    },
  });
  const state = html`<span class="cell-state"></span>`;
  const message = html`<div class="cell-message" role="status"></div>`;
  const deletion = button("Delete", () => (isDeleted ? void run() : remove()));
  const all = templates(values);
  const groups = ["Below", "Above"].map(
    (side) =>
      html`<optgroup label=${side}>${Object.keys(all).map((name) => html`<option>${name}</option>`)}</optgroup>`,
  );
  const add = () => {
    const [{ value, parentElement: group }] = menu.selectedOptions;
    menu.selectedIndex = 0;
    page.add(all[value], place, group === groups[1]);
  };
  const menu = html<HTMLSelectElement>`<select aria-label="Add a cell" onchange=${add}>
    <option>Add…</option>${groups}
  </select>`;
  const node = html`<div class="live-cell" role="group">
    ${source.node}
    <div class="row cell-row">
      ${[button("Run", () => void run()), original === undefined ? "" : button("Revert", revert), menu, deletion, state]}
    </div>
    ${message}
  </div>`;
  if (listing) listing.before(node);
  else block.after(node);
  open();
  show();
  return {
    place,
    run,
    delete: remove,
    open() {
      open();
      source.focus();
    },
  };
}

/** Returns the names that a cell declares, or the beginning of its first line. */
export function titleOf(source: string): string {
  const declarations = source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm);
  const names = Array.from(declarations, ([, name]) => name);
  return names.join(", ") || /\S.{0,40}/.exec(source)?.[0] || "new";
}
