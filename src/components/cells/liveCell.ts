import { html } from "htl";
import { type Editor, editor } from "../editor/editor.js";
import { button } from "../page/element.js";
import { showError } from "../page/help.js";
import { compile } from "./compile.js";
import type { Notebook } from "./notebook.js";
import { type CellPlace, clear, endOf } from "./places.js";
import { type Template, templates } from "./templates.js";
import { CellError } from "./transpile.js";

/** What a cell tells its page. */
interface CellHost {
  readonly notebook: Notebook;
  /** Called when the text of a cell changes. */
  changed(): void;
  /** Called when a new definition is in use. */
  ran(cell: LiveCell): void;
  add(place: "above" | "below", cell: LiveCell, template: Template): void;
}

/** A cell with an editor, below the listing that it replaces. */
export class LiveCell {
  /** What was typed. */
  text: string;
  isDeleted = false;
  /** The text that ran last. */
  #source: string;
  #error: Error | undefined;
  readonly node: HTMLElement;
  readonly #editor: Editor;
  readonly #state = html`<span class="cell-state"></span>`;
  readonly #message = html`<p class="cell-message" role="status"></p>`;
  readonly #run = button("Run", () => void this.run());
  readonly #revert = button("Revert", () => this.revert());
  readonly #delete = button("Delete", () => this.delete());
  readonly #restore =
    html<HTMLButtonElement>`<button type="button" class="cell-restore" onclick=${() => this.run()}>Restore</button>`;
  readonly #close = button("Close", () => this.#show(false));

  constructor(
    readonly place: CellPlace,
    source: string,
    readonly host: CellHost,
  ) {
    const { block, listing, language, original } = place;
    this.text = source;
    this.#source = original ?? "";
    this.#editor = editor({
      text: source,
      language: language === "ts" ? "typescript" : "javascript",
      label: `Source of the cell ${this.#title}`,
      scope: host.notebook.values(),
      onChange: (text) => {
        this.text = text;
        host.changed();
        this.#show();
      },
      onRun: () => void this.run(),
    });
    const buttons = [this.#run, this.#revert, this.#addMenu(), this.#delete, this.#restore, this.#close];
    this.node = html`<div class="live-cell" role="group">
      ${this.#editor.node}<div class="cell-row">${buttons}${this.#state}</div>${this.#message}
    </div>`;
    (listing ?? block).after(this.node);
    this.#show();
  }

  #addMenu(): HTMLElement {
    const all = templates(this.host.notebook.values());
    const group = (place: string) =>
      html`<optgroup label=${place}>${Object.keys(all).map((name) => html`<option>${name}</option>`)}</optgroup>`;
    const onchange = ({ target }: Event) => {
      const { value, selectedOptions } = target as HTMLSelectElement;
      const { label } = selectedOptions[0].parentElement as HTMLOptGroupElement;
      (target as HTMLSelectElement).selectedIndex = 0;
      this.host.add(label === "Above" ? "above" : "below", this, all[value]);
    };
    return html`<select aria-label="Add a cell" onchange=${onchange}><option>Add…</option>${["Below", "Above"].map(group)}</select>`;
  }

  get #title(): string {
    return titleOf(this.place.original ?? this.text);
  }

  get isEdited(): boolean {
    return this.text !== this.place.original;
  }

  /** The last element of the cell in the page: the next cell follows it. */
  get end(): Element {
    const end = endOf(this.place.listing ?? this.node);
    return end === this.place.listing ? this.node : end;
  }

  /** Whether it waits for a name that another cell may define. */
  get isMissingName(): boolean {
    return /is not defined/.test(this.#error?.message ?? "");
  }

  open(): void {
    this.#show(true);
    this.#editor.focus();
  }

  /** Runs the text. If it cannot be compiled or refers to unknown names, the definition in use stays. */
  async run(): Promise<void> {
    const { text, place, host } = this;
    this.isDeleted = false;
    try {
      const cell = await compile(text, place.language);
      if (text !== this.text) return;
      host.notebook.check(place.block, cell);
      await host.notebook.replace(place.block, cell, (error) => {
        const isOwn = error !== undefined && (error as Error).name !== "";
        this.#setError(isOwn ? cell.explain(error) : (error as Error | undefined));
      });
      this.#source = text;
      host.ran(this);
    } catch (error) {
      this.#setError(error as CellError, place.original === undefined ? "" : " The previous version stays in use.");
    }
    host.changed();
  }

  /** Restores the page's own source. */
  revert(): void {
    this.text = this.place.original!;
    this.#editor.setText(this.text);
    if (this.#source !== this.text || this.#error) void this.run();
    this.host.changed();
  }

  /** Deletes the cell, and offers to restore it. */
  delete(): void {
    const { block } = this.place;
    this.host.notebook.delete(block);
    clear(block);
    this.isDeleted = true;
    this.#setError(undefined);
    this.#restore.focus();
    this.host.changed();
  }

  /** Removes a cell that the reader added. */
  remove(): void {
    this.delete();
    this.#editor.destroy();
    this.place.block.remove();
    this.node.remove();
  }

  #setError(error: Error | undefined, remark = ""): void {
    this.#error = error;
    const { line, column = 1 } = error instanceof CellError ? error : {};
    const sentence = error ? `${line ? `Line ${line}: ` : ""}${error.message}${remark}` : "";
    const isWaiting = error !== undefined && error.name === "";
    if (isWaiting) this.#message.textContent = sentence;
    else showError(this.#message, sentence, "A cell fails");
    this.#message.classList.toggle("is-waiting", isWaiting);
    this.#editor.showMessages(line ? [{ line, column, type: "error", text: error!.message }] : []);
    this.#show();
  }

  #show(isOpen = !this.node.hidden): void {
    const { listing, original } = this.place;
    const isChanged = this.isEdited || this.isDeleted;
    this.node.hidden = !isOpen && !isChanged;
    if (listing) listing.hidden = !this.node.hidden;
    this.node.ariaLabel = `Cell ${this.#title}`;
    this.node.classList.toggle("is-deleted", this.isDeleted);
    this.#revert.hidden = original === undefined || !this.isEdited;
    this.#close.hidden = isChanged;
    const state = this.isDeleted ? `${this.#title} is deleted` : this.text === this.#source ? "" : "not run";
    this.#state.textContent = state;
  }
}

/** Returns the names that a cell declares, or its first line. */
export function titleOf(source: string): string {
  const declarations = source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm);
  const names = Array.from(declarations, ([, name]) => name);
  const first = source.split("\n").find((line) => line.trim() !== "") ?? "new";
  return names.length > 0 ? names.join(", ") : first.length > 42 ? `${first.slice(0, 40)}…` : first;
}
