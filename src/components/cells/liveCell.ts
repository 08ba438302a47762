import { html } from "htl";
import { type Editor, editor } from "../editor/editor.js";
import { showError } from "../page/help.js";
import { columnsOf } from "../tables/columnsOf.js";
import type { CellError } from "./cellError.js";
import { cellMenu } from "./cellMenu.js";
import type { Notebook, RuntimeCell } from "./notebook.js";
import type { CellLanguage } from "./pageEdits.js";
import { type CellCommand, commandOf } from "./shortcuts.js";
import { chartOf, membersOf, queryOf, rankNames, tablesAndColumns } from "./values.js";

export const languageNames: Record<CellLanguage, string> = {
  js: "JavaScript",
  ts: "TypeScript",
  md: "Markdown",
  sql: "SQL",
};

export const editorLanguages = { js: "javascript", ts: "typescript", md: "markdown", sql: "sql" } as const;

/** What a cell needs from its page. */
interface CellHost {
  notebook: Notebook;
  /** Called when the cell was edited or reverted, to save it. */
  changed(cell: LiveCell): void;
  /** Called when the draft has changed, to save it. */
  drafted(): void;
  /** Called when a new definition is in use; other cells may depend on it. */
  ran(cell: LiveCell): void;
  /** Called when a new definition declares a name instead of another. */
  renamed(cell: LiveCell, from: string, to: string): void;
  /** Whether editors wrap long lines; those of Markdown always do. */
  wrapsLines(): boolean;
  wrapLines(wraps: boolean): void;
  /**
   * @param text runs at once, unless it is a draft
   */
  insert(
    position: "above" | "below",
    cell: LiveCell,
    language: CellLanguage,
    text?: { source?: string; draft?: string },
  ): void;
  /** Moves a cell that the reader added past the next visible one. */
  move(cell: LiveCell, by: 1 | -1): void;
  /**
   * Moves the focus to another visible cell.
   * @param types whether to its text, if that is open, and to a new cell below the last
   */
  go(from: LiveCell, by: 1 | -1, types?: boolean): void;
  /** Saves all edits and drafts. */
  save(): void;
  /** Runs a cell and all below. */
  runBelow(cell: LiveCell): void;
  /** Deletes a cell, and offers to restore it. */
  remove(cell: LiveCell): void;
  /** Undoes the last change of the list of cells. */
  undo(): void;
  redo(): void;
}

/** A row with a cell's name and buttons, and the editor. */
interface Tools {
  node: HTMLElement;
  title: HTMLElement;
  state: HTMLElement;
  open: HTMLButtonElement;
  run: HTMLButtonElement;
  revert: HTMLButtonElement;
  discard: HTMLButtonElement;
  editorSlot: HTMLElement;
  message: HTMLElement;
}

/** A cell that the reader can edit and run. */
export class LiveCell {
  /** The source in use, or the one that is being tried. */
  source: string;
  error: CellError | undefined;
  readonly #host: CellHost;
  #runtimeCell: RuntimeCell | undefined;
  #shownTools: Tools | undefined;
  #editor: Editor | undefined;
  /** A draft of an earlier visit, until the editor has it. */
  #keptDraft: string | undefined;
  #attempts = 0;
  /** Whether the output is hidden while cells are edited. */
  #isFolded = false;

  /**
   * @param block holds what the cell displays
   * @param original the page's source of the cell; undefined for a cell that the reader added
   * @param echo the page's listing of the cell's code
   */
  constructor(
    readonly id: string,
    readonly block: HTMLElement,
    readonly language: CellLanguage,
    source: string,
    readonly original: string | undefined,
    readonly echo: HTMLElement | undefined,
    host: CellHost,
  ) {
    this.source = source;
    this.#host = host;
  }

  /** The tools above the cell. */
  get node(): HTMLElement {
    return this.#tools.node;
  }

  get runtime(): RuntimeCell {
    this.#runtimeCell ??= this.#host.notebook.cell(this.block);
    return this.#runtimeCell;
  }

  /** Created on first use: a page has a hundred cells, and most readers edit none. */
  get #tools(): Tools {
    if (!this.#shownTools) {
      this.#shownTools = this.#makeTools();
      this.#attach();
    }
    return this.#shownTools;
  }

  /** Puts the tools above the cell, or where its code is listed. */
  #attach(): void {
    const { node } = this.#tools;
    if (this.echo?.parentElement?.classList.contains("cell-listing")) return;
    if (this.echo) {
      const listing = html`<div class="cell-listing">${node}</div>`;
      this.echo.replaceWith(listing);
      listing.append(this.echo);
    } else this.block.before(node);
  }

  /** Moves the cell to where its block was put. */
  moved(): void {
    this.#attach();
    this.node.focus();
  }

  #makeTools(): Tools {
    const host = this.#host;
    const button = (text: string, onclick: () => void) =>
      html<HTMLButtonElement>`<button type="button" class="quiet" onclick=${onclick}>${text}</button>`;
    const title = html`<code></code>`;
    const open = button("Edit", () => this.toggle());
    const run = button("Run", () => void this.#runEditor());
    const revert = button("Revert", () => void this.revert());
    const discard = button("Discard draft", () => this.#discardDraft());
    const state = html`<span class="cell-state"></span>`;
    const isOwn = this.original !== undefined;
    const insert = (position: "above" | "below") => {
      const of = (language: CellLanguage) => () =>
        host.insert(
          position,
          this,
          language,
          language === "sql" ? { draft: queryOf(host.notebook.values()) } : undefined,
        );
      const chart = () => host.insert(position, this, "js", { source: chartOf(host.notebook.values()) });
      return {
        ...Object.fromEntries(Object.entries(languageNames).map(([id, name]) => [name, of(id as CellLanguage)])),
        Chart: chart,
      };
    };
    const insertMenu = cellMenu("Insert", () => ({ Above: insert("above"), Below: insert("below") }));
    const moreMenu = cellMenu("More", () => ({
      "": {
        "Run all below": this.#commands.runBelow,
        Duplicate: () => host.insert("below", this, this.language, { draft: this.draft ?? this.source }),
        "Move up": isOwn ? undefined : this.#commands.moveUp,
        "Move down": isOwn ? undefined : this.#commands.moveDown,
        [this.#isFolded ? "Show output" : "Fold output"]: this.#commands.foldOutput,
        [host.wrapsLines() ? "Do not wrap long lines" : "Wrap long lines"]: () => host.wrapLines(!host.wrapsLines()),
        Delete: this.isDeleted ? undefined : this.#commands.remove,
      },
    }));
    const editorSlot = html`<div class="cell-editor" hidden></div>`;
    const message = html`<p class="cell-message" role="status"></p>`;
    const node = html`<div class="cell-tools" role="group" tabindex="-1">
      <div class="cell-row">
        ${title}<span class="cell-language">${languageNames[this.language]}</span>${state}
        ${[open, run, discard, revert, insertMenu, moreMenu]}
      </div>
      ${editorSlot}${message}
    </div>`;
    const obey = (event: KeyboardEvent, phase: "capture" | "bubble") => {
      const target = event.target as Element;
      const inside = target.closest(".cm-content") ? "text" : target.closest("input") ? "field" : "button";
      const focus = target === node ? "cell" : inside;
      const command = event.isComposing ? undefined : commandOf(event, focus);
      // In the editor, Escape first closes lists and searches; other keys belong to the cell.
      const isTurn = phase === (command === "leave" ? "bubble" : "capture") && !event.defaultPrevented;
      if (!command || !isTurn) return;
      event.preventDefault();
      event.stopPropagation();
      this.#commands[command]();
    };
    node.addEventListener("keydown", (event) => obey(event, "capture"), { capture: true });
    node.addEventListener("keydown", (event) => obey(event, "bubble"));
    return { node, title, state, open, run, revert, discard, editorSlot, message };
  }

  readonly #commands: Record<CellCommand, () => void> = {
    run: () => void this.#runEditor(),
    runAndGo: () => {
      void this.#runEditor();
      this.#host.go(this, 1, true);
    },
    runBelow: () => this.#host.runBelow(this),
    save: () => this.#host.save(),
    leave: () => this.node.focus(),
    edit: () => this.edit(),
    previous: () => this.#host.go(this, -1),
    next: () => this.#host.go(this, 1),
    moveUp: () => this.#host.move(this, -1),
    moveDown: () => this.#host.move(this, 1),
    remove: () => this.#host.remove(this),
    foldOutput: () => {
      this.#isFolded = !this.#isFolded;
      this.show();
    },
    undo: () => this.#host.undo(),
    redo: () => this.#host.redo(),
    insertAbove: () => this.#host.insert("above", this, "js"),
    insertBelow: () => this.#host.insert("below", this, "js"),
  };

  get isEdited(): boolean {
    return this.source !== this.original;
  }

  /** Whether it is a cell of the page that the reader deleted. */
  get isDeleted(): boolean {
    return this.source === "" && this.isEdited && this.original !== undefined;
  }

  set wrapsLines(wraps: boolean) {
    if (this.#editor && this.language !== "md") this.#editor.wrapsLines = wraps;
  }

  /** The text that was typed and has not run. */
  get draft(): string | undefined {
    const text = this.#editor?.text ?? this.#keptDraft;
    return text === this.source ? undefined : text;
  }

  /** Puts a draft of an earlier visit into the editor. It does not run. */
  keepDraft(text: string): void {
    this.#keptDraft = text;
    if (this.#editor) this.#editor.text = text;
    this.show();
  }

  /** The last element of the cell in the page. */
  get end(): Element {
    return this.echo?.closest(".cell-listing") ?? this.echo ?? this.block;
  }

  /** Opens or closes the editor. Text that was not run stays in it. */
  toggle(): void {
    if (this.#tools.editorSlot.hidden) {
      this.edit();
    } else {
      this.#tools.editorSlot.hidden = true;
      this.show();
    }
  }

  get isOpen(): boolean {
    return !this.#tools.editorSlot.hidden;
  }

  /** Opens the editor and moves the focus to it. */
  edit(): void {
    this.open();
    this.#editor!.focus();
  }

  /** Opens the editor. */
  open(): void {
    const { editorSlot, title } = this.#tools;
    if (!this.#editor) {
      const { notebook } = this.#host;
      this.#editor = editor({
        text: this.draft ?? this.source,
        language: editorLanguages[this.language],
        wrapsLines: this.language === "md" || this.#host.wrapsLines(),
        label: this.source ? `Source of the cell ${title.textContent}` : "Source of the new cell",
        onChange: () => this.#typed(),
        names: () =>
          this.language === "sql"
            ? rankNames(tablesAndColumns(notebook.values()), notebook.values())
            : rankNames(notebook.names(), notebook.values()),
        members: ([name, ...path]) =>
          rankNames(
            membersOf(path.reduce<unknown>((value, key) => (value as never)?.[key], notebook.values().get(name))),
          ),
        quotedNames: () => [...new Set([...notebook.values().values()].flatMap(columnsOf))],
      });
      editorSlot.append(this.#editor.node);
      if (this.error) this.#mark(this.error);
    }
    editorSlot.hidden = false;
    this.show();
  }

  #typed(): void {
    this.#host.drafted();
    this.show();
  }

  /** Restores the source in use; the editor can undo it. */
  #discardDraft(): void {
    this.#keptDraft = undefined;
    if (this.#editor) this.#editor.text = this.source;
    this.#typed();
  }

  /** Runs a source. The previous definition stays in use until the new one has a value. */
  async run(source: string): Promise<void> {
    const attempt = ++this.#attempts;
    const { draft } = this;
    this.source = source;
    if (this.#editor && draft === undefined) this.#editor.text = source;
    this.#setError(undefined);
    this.#tools.node.setAttribute("aria-busy", "true");
    try {
      const before = this.runtime.outputs;
      const { hidesLastValue, outputs } = await this.runtime.replace(
        source,
        this.language,
        (error) => attempt === this.#attempts && this.#setError(error, true),
      );
      if (attempt !== this.#attempts) return;
      if (hidesLastValue) this.#tools.message.textContent = notShownMessage;
      this.#host.ran(this);
      const [gone, come] = [before, outputs].map((names, i, both) =>
        names.filter((name) => !both[1 - i].includes(name)),
      );
      if (gone.length === 1 && come.length === 1) this.#host.renamed(this, gone[0], come[0]);
    } catch (error) {
      if (attempt === this.#attempts) this.#setError(error as CellError);
    } finally {
      if (attempt === this.#attempts) this.#tools.node.removeAttribute("aria-busy");
    }
  }

  /** Shows a message with a button until the cell runs again. */
  offer(sentence: string, label: string, act: () => void): void {
    const onclick = () => {
      this.#tools.message.replaceChildren();
      this.show();
      this.node.focus();
      act();
    };
    this.#tools.message.replaceChildren(
      html`<span class="cell-offer">${sentence} <button type="button" onclick=${onclick}>${label}</button></span>`,
    );
    this.show();
  }

  /** Restores the page's own source. */
  async revert(): Promise<void> {
    if (this.original === undefined) return;
    const wasEdited = this.isEdited;
    this.#keptDraft = undefined;
    if (this.#editor) this.#editor.text = this.original;
    if (wasEdited) {
      const done = this.run(this.original);
      this.#host.changed(this);
      await done;
    }
    this.#typed();
  }

  /** Deletes a cell of the page; its tools stay. */
  empty(): void {
    this.#keptDraft = undefined;
    if (this.#editor) this.#editor.text = this.source;
    this.#tools.editorSlot.hidden = true;
    void this.run("");
  }

  /** Removes the cell from the page. */
  delete(): void {
    this.runtime.delete();
    this.#editor?.destroy();
    this.#tools.node.remove();
    this.block.remove();
  }

  /** Runs the text of an open editor, or a source that failed. Returns whether there was one. */
  runAgain(): boolean {
    if (!this.error && !(this.isOpen && this.draft !== undefined)) return false;
    void this.#runEditor();
    return true;
  }

  async #runEditor(): Promise<void> {
    // A draft that the reader has not seen does not run.
    const source = (this.isOpen ? this.draft : undefined) ?? this.source;
    this.#editor?.closeCompletions();
    const done = this.run(source);
    this.#host.changed(this);
    await done;
  }

  /** @param isCurrent whether the definition in use failed, rather than the one that was tried */
  #setError(error: CellError | undefined, isCurrent = false): void {
    this.error = error;
    const position = error?.line ? `Line ${error.line}: ` : "";
    const keepsPrevious = !isCurrent && (this.block.childElementCount > 0 || this.original !== undefined);
    const text = error
      ? `${position}${error.message}${keepsPrevious ? " The previous version stays in use." : ""}`
      : "";
    showError(this.#tools.message, text, "A cell fails");
    this.#mark(error);
    this.show();
  }

  #mark(error: CellError | undefined): void {
    const { line, column = 1, message = "" } = error ?? {};
    this.#editor?.showMessages(line ? [{ line, column, type: "error", text: message }] : []);
  }

  /** Updates the tools. */
  show(): void {
    const { node, title, state, open, run, revert, discard, editorSlot } = this.#tools;
    const isOpen = !editorSlot.hidden;
    // A cell of the page keeps its name while it is edited.
    title.textContent = titleOf(this.original ?? this.source);
    open.textContent = isOpen ? "Close" : "Edit";
    open.setAttribute("aria-expanded", String(isOpen));
    run.hidden = !isOpen;
    revert.hidden = !this.isEdited || this.original === undefined;
    const isDraft = this.draft !== undefined;
    discard.hidden = !isDraft;
    const states = [
      isDraft ? "draft saved, not run" : this.isDeleted ? "deleted" : "",
      this.#isFolded && "output folded",
    ];
    state.textContent = states.filter(Boolean).join(", ");
    this.block.classList.toggle("is-folded", this.#isFolded);
    const isPlain = !isOpen && !isDraft && !this.isEdited && !this.error && !this.#isFolded;
    node.classList.toggle("is-main", this.echo !== undefined || !isPlain);
    node.classList.toggle(
      "is-compact",
      this.echo !== undefined && isPlain && this.#tools.message.childNodes.length === 0,
    );
    node.classList.toggle("is-deleted", this.isDeleted);
    node.classList.toggle("is-edited", this.isEdited);
    node.classList.toggle("is-wrong", this.error !== undefined);
    node.setAttribute("aria-label", `Cell ${title.textContent}`);
    // The page's listing would show code that is not in use.
    if (this.echo) this.echo.hidden = isOpen || this.isEdited;
  }
}

const notShownMessage =
  "The value of the last line is not shown. A cell of several statements shows only what it passes to display(…).";

/** Returns the names that a cell declares, or its first line. */
export function titleOf(source: string): string {
  const names = Array.from(
    source.matchAll(/^(?:const|let|var|function|class|async function|create table|CREATE TABLE) +([\w$]+)/gm),
    ([, n]) => n,
  );
  const first = source.split("\n").find((line) => line.trim() !== "") ?? "new";
  return names.length > 0 ? names.join(", ") : first.length > 42 ? `${first.slice(0, 40)}…` : first;
}
