import { html } from "htl";
import { type Editor, editor } from "../editor/editor.js";
import { showError } from "../page/help.js";
import type { CellError } from "./cellError.js";
import { cellMenu } from "./cellMenu.js";
import { type Notebook, RuntimeCell } from "./notebook.js";
import type { CellLanguage } from "./pageEdits.js";
import { chartOf, completionsOf } from "./values.js";

export const languageNames: Record<CellLanguage, string> = {
  js: "JavaScript",
  ts: "TypeScript",
  md: "Markdown",
};

export const editorLanguages = { js: "javascript", ts: "typescript", md: "markdown" } as const;

/** What a cell needs from its page. */
export interface CellHost {
  readonly notebook: Notebook;
  /** Whether editors wrap long lines; those of Markdown always do. */
  wrapsLines: boolean;
  readonly bar: { saveEdits(): void; saveDrafts(): void };
  /** Called when a new definition is in use. */
  ran(cell: LiveCell): void;
  /** @param text runs at once, unless it is a draft */
  insert(
    position: "above" | "below",
    cell: LiveCell,
    language: CellLanguage,
    text?: { source?: string; draft?: string },
  ): void;
  /** Deletes a cell, and offers to restore it. */
  remove(cell: LiveCell): void;
  /** Runs a cell and all below. */
  runAll(first: LiveCell): void;
  /** Moves the focus to the next visible cell, or to a new one. */
  goBelow(cell: LiveCell): void;
}

/** A cell that the reader can edit and run. */
export class LiveCell {
  /** The source in use, or the one that is being tried. */
  source: string;
  error: CellError | undefined;
  /** The tools, which are above the cell, or above the listing of its code. */
  readonly node: HTMLElement;
  readonly #host: CellHost;
  readonly #title = html`<code></code>`;
  readonly #state = html`<span class="cell-state"></span>`;
  readonly #open = quietButton("Edit", () => (this.isOpen ? this.#close() : this.edit()));
  readonly #run = quietButton("Run", () => this.runText());
  readonly #discard = quietButton("Discard draft", () => {
    this.draft = undefined;
    this.#host.bar.saveDrafts();
  });
  readonly #revert = quietButton("Revert", () => this.revert());
  readonly #editorSlot = html`<div class="cell-editor" hidden></div>`;
  readonly #message = html`<p class="cell-message" role="status"></p>`;
  #runtimeCell: RuntimeCell | undefined;
  /** Created when it is first opened. */
  #editor: Editor | undefined;
  /** The text in the editor. */
  #text: string;
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
    readonly original: string | undefined,
    readonly echo: HTMLElement | undefined,
    host: CellHost,
  ) {
    this.source = this.#text = original ?? "";
    this.#host = host;
    this.node = this.#makeTools();
    if (echo) {
      const listing = html`<div class="cell-listing">${this.node}</div>`;
      echo.replaceWith(listing);
      listing.append(echo);
    } else block.before(this.node);
    this.#show();
  }

  #makeTools(): HTMLElement {
    const host = this.#host;
    const inserts = (position: "above" | "below") => {
      const insert = (language: CellLanguage, text?: { source?: string; draft?: string }) => () =>
        host.insert(position, this, language, text);
      return {
        [languageNames.js]: insert("js"),
        [languageNames.ts]: insert("ts"),
        [languageNames.md]: insert("md"),
        Chart: insert("js", { source: chartOf(host.notebook.values()) }),
      };
    };
    const insertMenu = cellMenu("Insert", () => ({ Above: inserts("above"), Below: inserts("below") }));
    const moreMenu = cellMenu("More", () => ({
      "": {
        "Run all below": () => host.runAll(this),
        Duplicate: () => host.insert("below", this, this.language, { draft: this.draft ?? this.source }),
        [this.#isFolded ? "Show output" : "Fold output"]: () => {
          this.#isFolded = !this.#isFolded;
          this.#show();
        },
        [host.wrapsLines ? "Do not wrap long lines" : "Wrap long lines"]: () => {
          host.wrapsLines = !host.wrapsLines;
        },
        Delete: this.isDeleted ? undefined : () => host.remove(this),
      },
    }));
    const node = html`<div class="cell-tools" role="group" tabindex="-1">
      <div class="cell-row">
        ${this.#title}<span class="cell-language">${languageNames[this.language]}</span>${this.#state}
        ${[this.#open, this.#run, this.#discard, this.#revert, insertMenu, moreMenu]}
      </div>
      ${[this.#editorSlot, this.#message]}
    </div>`;
    node.addEventListener("keydown", (event) => this.#obey(event), { capture: true });
    node.addEventListener("keydown", (event) => {
      // In the editor, Escape first closes lists and searches.
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || event.target === node) return;
      event.preventDefault();
      event.stopPropagation();
      node.focus();
    });
    return node;
  }

  /** Runs the cell on Ctrl-Enter or Cmd-Enter; on Shift-Enter goes to the next too. */
  #obey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, target } = event;
    const runs = (ctrlKey || metaKey) && !shiftKey;
    const runsAndGoes = shiftKey && !ctrlKey && !metaKey;
    // Enter presses a button, or searches.
    const isOnCell = target === this.node || (target as Element).closest(".cm-content") !== null;
    if (key !== "Enter" || isComposing || altKey || !(runs || (runsAndGoes && isOnCell))) return;
    event.preventDefault();
    event.stopPropagation();
    this.runText();
    if (runsAndGoes) this.#host.goBelow(this);
  }

  get runtime(): RuntimeCell {
    this.#runtimeCell ??= new RuntimeCell(this.#host.notebook, this.block);
    return this.#runtimeCell;
  }

  /** Whether it is a cell of the page, rather than one that the reader added. */
  get isOwn(): boolean {
    return this.original !== undefined;
  }

  get isEdited(): boolean {
    return this.source !== this.original;
  }

  /** Whether it is a cell of the page that the reader deleted. */
  get isDeleted(): boolean {
    return this.source === "" && this.isEdited && this.isOwn;
  }

  get isOpen(): boolean {
    return !this.#editorSlot.hidden;
  }

  /** The text that was typed and has not run. Setting it does not run it; undefined restores the source in use. */
  get draft(): string | undefined {
    return this.#text === this.source ? undefined : this.#text;
  }

  set draft(text) {
    this.#text = text ?? this.source;
    this.#editor?.setText(this.#text);
    this.#show();
  }

  wrapLines(wraps: boolean): void {
    if (this.language !== "md") this.#editor?.wrapLines(wraps);
  }

  /** The last element of the cell in the page. */
  get end(): Element {
    return this.echo?.parentElement ?? this.block;
  }

  /** Opens the editor and moves the focus to it. */
  edit(): void {
    this.open();
    this.#editor!.focus();
  }

  /** Opens the editor. */
  open(): void {
    if (!this.#editor) {
      this.#editor = this.#makeEditor();
      this.#editorSlot.append(this.#editor.node);
      this.#markError();
    }
    this.#editorSlot.hidden = false;
    this.#show();
  }

  /** Closes the editor. Text that was not run stays in it. */
  #close(): void {
    this.#editorSlot.hidden = true;
    this.#show();
  }

  #makeEditor(): Editor {
    const { notebook, wrapsLines, bar } = this.#host;
    return editor({
      text: this.#text,
      language: editorLanguages[this.language],
      wrapsLines: this.language === "md" || wrapsLines,
      label: this.source ? `Source of the cell ${this.#title.textContent}` : "Source of the new cell",
      onChange: (text) => {
        this.#text = text;
        bar.saveDrafts();
        this.#show();
      },
      completions: completionsOf(notebook),
    });
  }

  /** Runs a source. The previous definition stays in use until the new one has a value. */
  async run(source: string): Promise<void> {
    const attempt = ++this.#attempts;
    const isDraft = this.draft !== undefined;
    this.source = source;
    if (!isDraft) this.draft = undefined;
    this.#setError(undefined);
    this.node.setAttribute("aria-busy", "true");
    try {
      const { hidesLastValue } = await this.runtime.replace(
        source,
        this.language,
        (error) => attempt === this.#attempts && this.#setError(error, true),
      );
      if (attempt !== this.#attempts) return;
      if (hidesLastValue) this.#message.textContent = notShownMessage;
      this.#host.ran(this);
    } catch (error) {
      if (attempt === this.#attempts) this.#setError(error as CellError);
    } finally {
      if (attempt === this.#attempts) this.node.removeAttribute("aria-busy");
    }
  }

  /** Runs the text of an open editor, and otherwise the source in use. */
  runText(): void {
    this.#editor?.closeCompletions();
    // A draft that the reader has not seen does not run.
    void this.run((this.isOpen ? this.draft : undefined) ?? this.source);
    this.#host.bar.saveEdits();
  }

  /** Runs the text of an open editor, or a source that failed. Returns whether there was one. */
  runAgain(): boolean {
    const isDue = this.error !== undefined || (this.isOpen && this.draft !== undefined);
    if (isDue) this.runText();
    return isDue;
  }

  /** Restores the page's own source. */
  revert(): void {
    const { isEdited } = this;
    this.draft = this.original;
    if (isEdited) void this.run(this.original!);
    this.#host.bar.saveEdits();
  }

  /** Deletes a cell of the page; its tools stay. */
  empty(): void {
    this.draft = undefined;
    this.#close();
    void this.run("");
  }

  /** Removes the cell from the page. */
  delete(): void {
    this.runtime.delete();
    this.#editor?.destroy();
    this.node.remove();
    this.block.remove();
  }

  /** @param isCurrent whether the definition in use failed, rather than the one that was tried */
  #setError(error: CellError | undefined, isCurrent = false): void {
    this.error = error;
    const position = error?.line ? `Line ${error.line}: ` : "";
    const keepsPrevious = !isCurrent && (this.block.childElementCount > 0 || this.isOwn);
    const text = error
      ? `${position}${error.message}${keepsPrevious ? " The previous version stays in use." : ""}`
      : "";
    showError(this.#message, text, "A cell fails");
    this.#markError();
    this.#show();
  }

  #markError(): void {
    const { line, column = 1, message = "" } = this.error ?? {};
    this.#editor?.showMessages(line ? [{ line, column, type: "error", text: message }] : []);
  }

  /** Updates the tools. */
  #show(): void {
    const { node, isOpen, isEdited, isDeleted, echo } = this;
    const isDraft = this.draft !== undefined;
    // A cell of the page keeps its name while it is edited.
    const title = titleOf(this.original ?? this.source);
    this.#title.textContent = title;
    node.setAttribute("aria-label", `Cell ${title}`);
    this.#open.textContent = isOpen ? "Close" : "Edit";
    this.#open.setAttribute("aria-expanded", String(isOpen));
    this.#run.hidden = !isOpen;
    this.#revert.hidden = !isEdited || !this.isOwn;
    this.#discard.hidden = !isDraft;
    const state = isDraft ? "draft saved, not run" : isDeleted && "deleted";
    this.#state.textContent = [state, this.#isFolded && "output folded"].filter(Boolean).join(", ");
    this.block.classList.toggle("is-folded", this.#isFolded);
    const isPlain = !isOpen && !isDraft && !isEdited && !this.error && !this.#isFolded;
    node.classList.toggle("is-main", echo !== undefined || !isPlain);
    node.classList.toggle("is-compact", echo !== undefined && isPlain && !this.#message.hasChildNodes());
    node.classList.toggle("is-deleted", isDeleted);
    node.classList.toggle("is-edited", isEdited);
    node.classList.toggle("is-wrong", this.error !== undefined);
    // The page's listing would show code that is not in use.
    if (echo) echo.hidden = isOpen || isEdited;
  }
}

function quietButton(label: string, onclick: () => void): HTMLButtonElement {
  return html<HTMLButtonElement>`<button type="button" class="quiet" onclick=${onclick}>${label}</button>`;
}

const notShownMessage =
  "The value of the last line is not shown. A cell of several statements shows only what it passes to display(…).";

/** Returns the names that a cell declares, or its first line. */
export function titleOf(source: string): string {
  const names = Array.from(
    source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm),
    ([, n]) => n,
  );
  const first = source.split("\n").find((line) => line.trim() !== "") ?? "new";
  return names.length > 0 ? names.join(", ") : first.length > 42 ? `${first.slice(0, 40)}…` : first;
}
