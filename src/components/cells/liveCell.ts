import { type Editor, editor } from "../editor/editor.js";
import { element } from "../page/element.js";
import { showError } from "../page/help.js";
import type { CellError } from "./cellError.js";
import type { Notebook, RuntimeCell } from "./notebook.js";
import type { CellLanguage } from "./pageEdits.js";
import { chartOf, columnsOf, membersOf } from "./values.js";

export const languageNames: Record<CellLanguage, string> = { js: "JavaScript", ts: "TypeScript", md: "Markdown" };

export const editorLanguages = { js: "javascript", ts: "typescript", md: "markdown" } as const;

/** What a cell asks of the page around it. */
export interface CellHost {
  notebook: Notebook;
  /** The cell was edited or taken back: what it is now is to be kept. */
  changed(cell: LiveCell): void;
  /** The cell has a new definition in force, by which others may have become possible. */
  ran(cell: LiveCell): void;
  /** @param source what it begins with, and is run at once */
  add(below: LiveCell, language: CellLanguage, source?: string): void;
  /** Absent from the page's own cells. */
  remove?(cell: LiveCell): void;
}

/** A row with a cell's name and buttons, and the editor while it is open. */
interface Tools {
  node: HTMLElement;
  title: HTMLElement;
  open: HTMLButtonElement;
  run: HTMLButtonElement;
  revert: HTMLButtonElement;
  place: HTMLElement;
  message: HTMLElement;
}

/** A cell that the reader can open, edit and run. */
export class LiveCell {
  /** What stands in force or is being tried. */
  source: string;
  /** What is wrong with the source. */
  error: CellError | undefined;
  readonly #host: CellHost;
  #runtimeCell: RuntimeCell | undefined;
  #shownTools: Tools | undefined;
  #editor: Editor | undefined;
  #attempts = 0;

  /**
   * @param block where the cell shows itself
   * @param original what the page has for it; undefined of a cell that the reader added
   * @param echo where the page shows the cell's code
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

  /** What stands above it. */
  get node(): HTMLElement {
    return this.#tools.node;
  }

  get #runtime(): RuntimeCell {
    this.#runtimeCell ??= this.#host.notebook.cell(this.block);
    return this.#runtimeCell;
  }

  /** Above the cell, from when they are first wanted: a page has a hundred cells, and most readers edit none. */
  get #tools(): Tools {
    if (!this.#shownTools) {
      this.#shownTools = this.#makeTools();
      this.block.before(this.#shownTools.node);
    }
    return this.#shownTools;
  }

  #makeTools(): Tools {
    const host = this.#host;
    const button = (text: string, onclick: () => void) =>
      element("button", { type: "button", class: "quiet", onclick }, text);
    const title = element("code");
    const open = button("Edit", () => this.toggle());
    const run = button("Run", () => void this.#runEditor());
    const revert = button("Revert", () => void this.revert());
    const remove = button("Remove", () => host.remove?.(this));
    const row = element(
      "div",
      { class: "cell-row" },
      title,
      element("span", { class: "cell-language" }, languageNames[this.language]),
      open,
      run,
      this.original === undefined ? remove : revert,
      addMenu(
        (language) => host.add(this, language),
        () => host.add(this, "js", chartOf(host.notebook.values())),
      ),
    );
    const place = element("div", { class: "cell-editor", hidden: true });
    const message = element("p", { class: "cell-message", role: "status" });
    const node = element("div", { class: "cell-tools", role: "group" }, row, place, message);
    return { node, title, open, run, revert, place, message };
  }

  get isEdited(): boolean {
    return this.source !== this.original;
  }

  /** What stands last of the cell in the page. */
  get end(): Element {
    return this.echo ?? this.block;
  }

  /** Opens the editor, or closes it; what was typed and not run stays in it. */
  toggle(): void {
    const { place, title } = this.#tools;
    const isOpen = !place.hidden;
    if (!this.#editor) {
      const { notebook } = this.#host;
      this.#editor = editor({
        text: this.source,
        language: editorLanguages[this.language],
        wrapsLines: this.language === "md",
        label: this.source ? `Source of the cell ${title.textContent}` : "Source of the new cell",
        onRun: () => this.#runEditor(),
        onChange: () => this.show(),
        names: () => notebook.names(),
        members: ([name, ...path]) =>
          membersOf(path.reduce<unknown>((value, key) => (value as never)?.[key], notebook.values().get(name))),
        quotedNames: () => [...new Set([...notebook.values().values()].flatMap(columnsOf))],
      });
      place.append(this.#editor.node);
      if (this.error) this.#mark(this.error);
    }
    place.hidden = isOpen;
    this.show();
    if (!isOpen) this.#editor.focus();
  }

  /** Tries a source. What is in force stays until it has a value. */
  async run(source: string): Promise<void> {
    const attempt = ++this.#attempts;
    this.source = source;
    if (this.#editor && this.#editor.text !== source) this.#editor.text = source;
    this.#setError(undefined);
    this.#tools.node.setAttribute("aria-busy", "true");
    try {
      // What is wrong with a later source stays to be read.
      const { hidesLastValue: hidesItsEnd } = await this.#runtime.replace(
        source,
        this.language,
        (error) => attempt === this.#attempts && this.#setError(error, true),
      );
      if (attempt !== this.#attempts) return;
      if (hidesItsEnd) this.#tools.message.textContent = notShownMessage;
      this.#host.ran(this);
    } catch (error) {
      if (attempt === this.#attempts) this.#setError(error as CellError);
    } finally {
      if (attempt === this.#attempts) this.#tools.node.removeAttribute("aria-busy");
    }
  }

  /** Back to what the page has. */
  async revert(): Promise<void> {
    if (this.original === undefined || (!this.isEdited && this.#editor?.text === this.original)) return;
    const wasEdited = this.isEdited;
    if (this.#editor) this.#editor.text = this.original;
    if (wasEdited) {
      const done = this.run(this.original);
      this.#host.changed(this);
      await done;
    }
    this.show();
  }

  /** Takes it out of the page. */
  delete(): void {
    this.#runtime.delete();
    this.#editor?.destroy();
    this.#tools.node.remove();
    this.block.remove();
  }

  async #runEditor(): Promise<void> {
    const source = this.#editor?.text ?? this.source;
    const done = this.run(source);
    this.#host.changed(this);
    await done;
  }

  /** @param isCurrent whether it is what the page has that went wrong, rather than what was tried */
  #setError(error: CellError | undefined, isCurrent = false): void {
    this.error = error;
    const place = error?.line ? `Line ${error.line}: ` : "";
    const keepsPrevious = !isCurrent && (this.block.childElementCount > 0 || this.original !== undefined);
    const text = error ? `${place}${error.message}${keepsPrevious ? " The previous version stays in use." : ""}` : "";
    showError(this.#tools.message, text, "A cell fails");
    this.#mark(error);
    this.show();
  }

  #mark(error: CellError | undefined): void {
    const { line = 1, column = 1, message = "" } = error ?? {};
    this.#editor?.showMessages(error ? [{ line, column, type: "error", text: message }] : []);
  }

  /** Shows its tools as it stands. */
  show(): void {
    const { node, title, open, run, revert, place } = this.#tools;
    const isOpen = !place.hidden;
    const isNew = this.#editor !== undefined && this.#editor.text !== this.source;
    // The page's own cells keep their names, whatever is typed.
    title.textContent = titleOf(this.original ?? this.source);
    open.textContent = isOpen ? "Close" : "Edit";
    open.setAttribute("aria-expanded", String(isOpen));
    run.disabled = !isOpen;
    revert.disabled = !this.isEdited && !isNew;
    node.classList.toggle("is-edited", this.isEdited);
    node.classList.toggle("is-wrong", this.error !== undefined);
    node.setAttribute("aria-label", `Cell ${title.textContent}`);
    // The page's own listing would show code that is not in force.
    if (this.echo) this.echo.hidden = isOpen || this.isEdited;
  }
}

const notShownMessage =
  "The value of the last line is not shown. A cell of several statements shows only what it passes to display(…).";

/** What a cell declares, or how it begins. */
export function titleOf(source: string): string {
  const names = Array.from(
    source.matchAll(/^(?:const|let|var|function|class|async function) +([\w$]+)/gm),
    ([, n]) => n,
  );
  const first = source.split("\n").find((line) => line.trim() !== "") ?? "new";
  return names.length > 0 ? names.join(", ") : first.length > 42 ? `${first.slice(0, 40)}…` : first;
}

function addMenu(add: (language: CellLanguage) => void, addChart: () => void): HTMLElement {
  const kinds = [...Object.entries(languageNames), ["chart", "Chart"]];
  const names = kinds.map(([value, name]) => element("option", { value }, name));
  const menu = element(
    "select",
    {
      class: "cell-add",
      "aria-label": "Add a cell below",
      onchange: () => {
        if (menu.value === "chart") addChart();
        else add(menu.value as CellLanguage);
        menu.selectedIndex = 0;
      },
    },
    element("option", { value: "", hidden: true }, "Add below…"),
    ...names,
  );
  return menu;
}
