import { html } from "htl";
import { type Editor, editor } from "../editor/editor.js";
import { button } from "../page/element.js";
import { showError } from "../page/help.js";
import { CellError, compile } from "./compile.js";
import { clear, type Notebook } from "./notebook.js";
import type { CellPlace } from "./places.js";
import { type Template, templates } from "./templates.js";

/** The page of a cell. */
interface CellPage {
  readonly notebook: Notebook;
  /** Called when what is saved of a cell changes. */
  changed(): void;
  /** Runs the cells that failed for lack of a name, which a cell that ran may define. */
  runOthers(than: Cell): void;
  /** Adds a cell next to another one. */
  add(side: "above" | "below", next: Cell, template: Template): void;
}

/** A cell with an editor, in front of the listing that it replaces. */
export class Cell {
  /** What was typed. */
  #text: string;
  /** The text that ran last. */
  #ran: string | undefined;
  #isDeleted = false;
  #error: Error | undefined;
  readonly #node: HTMLElement;
  readonly #editor: Editor;
  readonly #state = html`<span class="cell-state"></span>`;
  readonly #message = html`<div class="cell-message" role="status"></div>`;
  /** Reverts the text, or closes the editor if there is nothing to revert. */
  readonly #revert = button("Close", () => this.revert());
  /** Deletes the cell, or restores it. */
  readonly #delete = button("Delete", () => (this.#isDeleted ? void this.run() : this.delete()));

  constructor(
    readonly place: CellPlace,
    text: string,
    readonly page: CellPage,
  ) {
    const { block, language, listing, original } = place;
    this.#text = text;
    this.#ran = original;
    this.#editor = editor({
      text,
      language: language === "ts" ? "typescript" : "javascript",
      label: `Source of the cell ${titleOf(original ?? text)}`,
      scope: page.notebook.values(),
      onChange: (text) => {
        this.#text = text;
        this.#show();
        page.changed();
      },
      onRun: () => void this.run(),
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
      const { value, selectedOptions } = menu;
      const isAbove = selectedOptions[0].parentElement === groups[1];
      menu.selectedIndex = 0;
      this.page.add(isAbove ? "above" : "below", this, all[value]);
    };
    return menu;
  }

  /** What is saved: the text, whether it has run or not; "" for a deleted cell. */
  get source(): string {
    return this.#isDeleted ? "" : this.#text;
  }

  /** Whether it waits for a name that another cell may define. */
  get isMissingName(): boolean {
    return /is not defined/.test(this.#error?.message ?? "");
  }

  open(): void {
    this.#setOpen(true);
    this.#editor.focus();
  }

  /** Runs the text. If it cannot be compiled or refers to unknown names, the definition in use stays. */
  async run(): Promise<void> {
    const { place, page } = this;
    const text = this.#text;
    this.#isDeleted = false;
    page.changed();
    try {
      const compiled = await compile(text, place.language);
      if (text !== this.source) return;
      page.notebook.define(place.block, compiled, (error) => this.#setError(error));
      this.#ran = text;
      this.#setError(undefined);
      page.runOthers(this);
    } catch (error) {
      this.#setError(error as Error, place.original === undefined ? "" : " The previous version stays in use.");
    }
  }

  /** Restores the page's own source, and closes the editor. */
  revert(): void {
    const { original = "" } = this.place;
    const isInUse = this.#ran === original && !this.#isDeleted && !this.#error;
    this.#text = original;
    this.#editor.setText(original);
    if (!isInUse) void this.run();
    this.#setOpen(false);
    this.#show();
    this.page.changed();
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

  /** Removes a cell that the reader added. */
  remove(): void {
    this.delete();
    this.#editor.destroy();
    this.place.first.remove();
  }

  #setError(error: Error | undefined, remark = ""): void {
    this.#error = error;
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
    const title = titleOf(this.place.original ?? this.#text);
    this.#node.ariaLabel = `Cell ${title}`;
    this.#node.classList.toggle("is-deleted", this.#isDeleted);
    this.#revert.textContent = this.source === this.place.original ? "Close" : "Revert";
    this.#delete.textContent = this.#isDeleted ? "Restore" : "Delete";
    const state = this.#text === this.#ran ? "" : "not run";
    this.#state.textContent = this.#isDeleted ? `${title} is deleted` : state;
  }
}

/** Returns the names that a cell declares, or its first line. */
export function titleOf(source: string): string {
  const declarations = source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm);
  const names = Array.from(declarations, ([, name]) => name);
  const first = source.split("\n").find((line) => line.trim() !== "") ?? "new";
  return names.length > 0 ? names.join(", ") : first.length > 42 ? `${first.slice(0, 40)}…` : first;
}
