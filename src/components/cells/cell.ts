import { html } from "htl";
import { type Editor, editor } from "../editor/editor.js";
import { button } from "../page/element.js";
import { showError } from "../page/help.js";
import { CellError, compile } from "./compile.js";
import { clear, type Notebook } from "./notebook.js";
import { templates } from "./templates.js";

/** Where a cell is in its page. */
export interface CellPlace {
  id: string;
  /** Holds what the cell displays. */
  block: Element;
  /** The first and the last element of the cell. */
  first: Element;
  last: Element;
  /** The ids of the page's cells next to a cell that the reader added. */
  after: string;
  before: string;
  /** The page's source and listing of the cell; none for a cell that the reader added. */
  original?: string;
  listing?: HTMLElement;
}

/** The page of a cell. */
interface CellPage {
  readonly notebook: Notebook;
  /** Called when what is saved of a cell changes. */
  changed(): void;
  /** Adds a cell next to another one. */
  add(source: string, next: Cell, isAbove: boolean): void;
}

/** A cell with an editor, in front of the listing that it replaces. */
export class Cell {
  /** The text that ran last. */
  #ran: string | undefined;
  #isDeleted = false;
  readonly #node: HTMLElement;
  readonly #editor: Editor;
  readonly #state = html`<span class="cell-state"></span>`;
  readonly #message = html`<div class="cell-message" role="status"></div>`;
  /** Reverts the text, or closes the editor if there is nothing to revert. */
  readonly #revert = button("Close", () => this.#revertAndClose());
  /** Deletes the cell, or restores it. */
  readonly #delete = button("Delete", () => (this.#isDeleted ? void this.run() : this.delete()));

  constructor(
    readonly place: CellPlace,
    text: string,
    readonly page: CellPage,
  ) {
    const { block, listing, original } = place;
    this.#ran = original;
    this.#editor = editor({
      text,
      language: "typescript",
      label: `Source of the cell ${titleOf(original ?? text)}`,
      scope: page.notebook.values(),
      onChange: () => {
        this.#show();
        page.changed();
      },
      onRun: () => {
        void this.run();
        return true;
      },
    });
    this.#revert.hidden = original === undefined;
    const run = button("Run", () => void this.run());
    this.#node = html`<div class="live-cell" role="group">
      ${this.#editor.node}
      <div class="row cell-row">${[run, this.#revert, this.#addMenu(), this.#delete, this.#state]}</div>
      ${this.#message}
    </div>`;
    if (listing) listing.before(this.#node);
    else block.after(this.#node);
    this.#setOpen(true);
    this.#show();
  }

  #addMenu(): HTMLElement {
    const all = templates(this.page.notebook.values());
    const groups = ["Below", "Above"].map(
      (side) =>
        html`<optgroup label=${side}>${Object.keys(all).map((name) => html`<option>${name}</option>`)}</optgroup>`,
    );
    const menu = html<HTMLSelectElement>`<select aria-label="Add a cell"><option>Add…</option>${groups}</select>`;
    menu.onchange = () => {
      const [{ value, parentElement: group }] = menu.selectedOptions;
      menu.selectedIndex = 0;
      this.page.add(all[value], this, group === groups[1]);
    };
    return menu;
  }

  /** What is saved: the text, whether it has run or not; "" for a deleted cell. */
  get source(): string {
    return this.#isDeleted ? "" : this.#editor.text();
  }

  open(): void {
    this.#setOpen(true);
    this.#editor.focus();
  }

  /**
   * Runs the text. If it cannot be compiled, the definition in use stays.
   * @param needsNames whether the definition also stays if the text refers to unknown names
   */
  async run(needsNames = this.#ran !== undefined): Promise<void> {
    const { place, page } = this;
    this.#isDeleted = false;
    const text = this.source;
    page.changed();
    try {
      const compiled = await compile(text);
      if (text !== this.source) return;
      page.notebook.define(place.block, compiled, needsNames, (error) => this.#setError(error));
      this.#ran = text;
      this.#setError(undefined);
    } catch (error) {
      this.#setError(error as Error, this.#ran === undefined ? "" : " The previous version stays in use.");
    }
  }

  #revertAndClose(): void {
    const { original = "" } = this.place;
    this.#editor.setText(original);
    this.#setOpen(false);
    if (this.#isDeleted || this.#ran !== original || this.#message.firstChild) void this.run();
  }

  /** Deletes the cell, and offers to restore it. */
  delete(): void {
    const { block } = this.place;
    this.page.notebook.delete(block);
    clear(block);
    this.#isDeleted = true;
    this.#setError(undefined);
    this.page.changed();
  }

  #setError(error: Error | undefined, remark = ""): void {
    const { line, column = 1 } = error instanceof CellError ? error : {};
    showError(this.#message, error ? `${line ? `Line ${line}: ` : ""}${error.message}${remark}` : "", "A cell fails");
    this.#message.classList.toggle("is-waiting", error?.name === "");
    this.#editor.showMessages(line ? [{ line, column, type: "error", text: error!.message }] : []);
    if (error) this.#setOpen(true);
    this.#show();
  }

  #setOpen(isOpen: boolean): void {
    this.#node.hidden = !isOpen;
    if (this.place.listing) this.place.listing.hidden = isOpen;
  }

  #show(): void {
    const title = titleOf(this.place.original ?? this.#editor.text());
    this.#node.ariaLabel = `Cell ${title}`;
    this.#node.classList.toggle("is-deleted", this.#isDeleted);
    this.#revert.textContent = this.source === this.place.original ? "Close" : "Revert";
    this.#delete.textContent = this.#isDeleted ? "Restore" : "Delete";
    const state = this.source === this.#ran ? "" : "not run";
    this.#state.textContent = this.#isDeleted ? `${title} is deleted` : state;
  }
}

/** Returns the names that a cell declares, or the beginning of its first line. */
export function titleOf(source: string): string {
  const declarations = source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm);
  const names = Array.from(declarations, ([, name]) => name);
  return names.join(", ") || /\S.{0,40}/.exec(source)?.[0] || "new";
}
