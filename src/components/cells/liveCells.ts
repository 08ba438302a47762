import { saveFile } from "../../host/browser/saveFile.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { element } from "../page/element.js";
import { counted } from "../page/format.js";
import { showError } from "../page/help.js";
import type { LiveCell } from "./liveCell.js";
import { namesPanel } from "./namesPanel.js";
import { Notebook } from "./notebook.js";
import {
  type AddedCell,
  addedIdPrefix,
  type CellLanguage,
  editsFromHash,
  editsToHash,
  hasEdits,
  isEmpty,
  isLanguage,
  noEdits,
  type PageEdits,
  SavedEdits,
} from "./pageEdits.js";
import { proseClass } from "./proseClass.js";

/**
 * Makes every code cell of a page one that can be edited, in the page: a bar that turns the cells' editors on, and says
 * what was changed. Edits are kept in this browser. Kept ones, and those that a link brings along, are shown, and run
 * when the reader says so.
 * @param source the page's Markdown, which is read once it is wanted
 */
export function liveCells(source: Source): HTMLElement {
  const node = element("section", { class: "live-cells", "aria-label": "The cells of this page" });
  freezeUsedNodes();
  // The runtime knows this element once it is shown.
  queueMicrotask(() => void new LiveCells(node, source).open());
  return node;
}

/** A file of the page, as its `FileAttachment` gives it. */
interface Source {
  text(): Promise<string>;
}

/** What a button says, and does. */
type Answer = [label: string, then: () => void];

/** Framework's blocks of cells and the page's prose, as they stand in the page. */
const blocks = `#observablehq-main :is(.observablehq--block, .${proseClass})`;

class LiveCells {
  readonly #bar: HTMLElement;
  readonly #source: Source;
  #markdown = "";
  #finding: Promise<void> | undefined;
  /** The editor and the parsers, loaded with the page's cells. */
  #editing: typeof import("./editing.js") | undefined;
  readonly #savedEdits = new SavedEdits(location.pathname);
  readonly #cells = new Map<string, LiveCell>();
  /** The page's own cells, in their order. */
  #ids: string[] = [];
  #notebook: Notebook | undefined;
  readonly #state = element("span", { class: "live-cells-state", role: "status" });
  readonly #toggle = this.#button("Edit the cells", () => void this.#setEditing(!this.#isEditing));
  readonly #revert = this.#button("Revert all", () => this.#revertAll());
  readonly #download = this.#button("Download the page", () => this.#save());
  readonly #share = this.#button("Copy a link", () => void this.#copyLink());
  readonly #saveLinked = this.#button("Save edits", () => this.#saveLinkedEdits());
  readonly #question = element("div");
  readonly #panel = element("div", { class: "live-cells-panel" });
  #isEditing = false;
  /** What is kept, and has not run since nobody has said so yet. */
  #pendingEdits: PageEdits = noEdits;
  /** Edits of cells that the page has no more, by their ids. */
  #unmatched: Record<string, string> = {};
  /** Whether the edits are in the browser's storage. */
  #isSaved = true;
  /** The address's part whose cells run in the page. They hold for this visit, in which nothing is kept by itself. */
  #linkedHash: string | undefined;

  constructor(bar: HTMLElement, source: Source) {
    this.#bar = bar;
    this.#source = source;
  }

  async open(): Promise<void> {
    this.#notebook = await Notebook.open(this.#bar.closest(blocks)!);
    this.#bar.append(
      element(
        "div",
        { class: "live-cells-bar" },
        this.#toggle,
        this.#revert,
        this.#download,
        this.#share,
        this.#saveLinked,
        this.#state,
      ),
      this.#question,
      this.#panel,
      namesPanel(this.#notebook),
    );
    this.#pendingEdits = this.#savedEdits.read();
    addEventListener("hashchange", () => void this.#askPending());
    this.#show();
    await this.#askPending();
  }

  /** Finds the page's cells, once they are wanted: all of its source is parsed for that, and most readers edit none. */
  #find(): Promise<void> {
    this.#finding ??= Promise.all([this.#source.text(), import("./editing.js")]).then(([markdown, editing]) => {
      this.#markdown = markdown;
      this.#editing = editing;
      const { cellsOf, LiveCell } = editing;
      const own = this.#bar.closest(blocks)!;
      const blockElements = [...document.querySelectorAll<HTMLElement>(blocks)];
      for (const [index, { language, source, echo }] of cellsOf(markdown).entries()) {
        const block = blockElements[index];
        const id = cellId(block);
        this.#ids.push(id);
        if (block === own || !isLanguage(language)) continue;
        const listing = echo ? (block.nextElementSibling as HTMLElement) : undefined;
        this.#cells.set(id, new LiveCell(id, block, language, source, source, listing, this.#host()));
      }
      this.#pendingEdits = this.#withAnchors(this.#pendingEdits);
    });
    return this.#finding;
  }

  async #loadCells(): Promise<boolean> {
    try {
      await this.#find();
      return true;
    } catch {
      this.#finding = undefined;
      this.#showError("The page's source or the editor did not load, so the cells cannot be edited.");
      return false;
    }
  }

  /** Asks of what waits to run: of what the address brings, or else of what is kept. */
  async #askPending(): Promise<void> {
    if (isEmpty(this.#pendingEdits) && !hasEdits(location.hash)) return;
    if (!(await this.#loadCells())) return;
    const { hash } = location;
    // What is being asked stays as it is, whatever becomes of the address.
    if (this.#question.hasChildNodes() || (hash !== "" && hash === this.#linkedHash)) return;
    try {
      const linked = editsFromHash(hash);
      // Whoever embeds a page decides what is seen of it.
      if (window !== window.top && (linked || !isEmpty(this.#pendingEdits))) {
        this.#showError("Edited cells do not run in a page inside a frame.");
      } else if (linked) this.#askOfLinked(linked, hash);
      else if (!isEmpty(this.#pendingEdits)) this.#askOfKept(this.#pendingEdits);
    } catch (error) {
      this.#showError((error as Error).message);
      this.#setHash("");
      await this.#askPending();
    }
  }

  #askOfLinked(linked: PageEdits, hash: string): void {
    const own = isEmpty(this.#allEdits())
      ? ""
      : this.#isSaved && this.#linkedHash === undefined
        ? " Your own edits stay saved, but do not run meanwhile."
        : " They would replace the edits that run now.";
    const text = `This link contains cells: ${describe(linked)}. None of them has run. They can do whatever this page can, including with your saved runs and edits, so read them first. They last until you leave the page.${own}`;
    const accept = () => {
      this.#setHash(hash);
      this.#linkedHash = hash;
      this.#pendingEdits = noEdits;
      this.#saveLinked.textContent = isEmpty(this.#savedEdits.read()) ? "Save edits" : "Replace my edits";
      this.#replaceAll(linked);
    };
    this.#showQuestion(linked, text, ["Run cells", accept], ["Ignore cells", () => this.#setHash("")]);
  }

  #askOfKept(kept: PageEdits): void {
    const text = `This browser has saved edits of this page: ${describe(kept)}. None of them has run. If you ever ran code from a link, that code could have written them, so read them first.`;
    const accept = () => {
      this.#pendingEdits = noEdits;
      this.#run(kept);
      this.#saveEdits();
    };
    const deleteEdits = () => {
      this.#pendingEdits = noEdits;
      this.#saveEdits();
      this.#offerRestore(() => {
        this.#pendingEdits = kept;
        this.#saveEdits();
        void this.#askPending();
      });
    };
    this.#showQuestion(kept, text, ["Run cells", accept], ["Delete edits", deleteEdits]);
  }

  #showQuestion(edits: PageEdits, text: string, accept: Answer, refuse: Answer): void {
    const answer = ([label, then]: Answer): Answer => [
      label,
      () => {
        this.#question.replaceChildren();
        then();
        void this.#askPending();
        this.#show();
      },
    ];
    const answers = { text, accept: answer(accept), refuse: answer(refuse) };
    this.#question.replaceChildren(this.#editing!.cellQuestion(edits, this.#cells, answers));
    this.#show();
  }

  #setHash(hash: string): void {
    history.replaceState(null, "", location.pathname + location.search + hash);
  }

  /** Cells that were added below one that this page has no more stand at its end. */
  #withAnchors({ edits, added }: PageEdits): PageEdits {
    const anchored = added.map((cell) =>
      this.#ids.includes(cell.after) ? cell : { ...cell, after: this.#ids.at(-1)! },
    );
    return { edits, added: anchored };
  }

  #offerRestore(restore: () => void): void {
    const restoreButton = this.#button("Restore my edits", () => {
      this.#panel.replaceChildren();
      restore();
    });
    this.#panel.replaceChildren(restoreButton);
  }

  #replaceAll(edits: PageEdits): void {
    for (const cell of [...this.#cells.values()]) {
      if (cell.original === undefined) this.#removeCell(cell);
      else if (!(cell.id in edits.edits)) void cell.revert();
    }
    this.#run(this.#withAnchors(edits));
    this.#saveEdits();
  }

  /** Runs edits; what this page has no cell for stays with them. */
  #run({ edits, added }: PageEdits): void {
    const isOnPage = ([id]: [string, string]) => this.#cells.has(id);
    const unmatched = Object.entries(edits).filter((edit) => !isOnPage(edit));
    this.#unmatched = Object.fromEntries(unmatched);
    this.#panel.replaceChildren();
    if (unmatched.length > 0) {
      this.#showError(`Skipped ${counted(unmatched.length, "edit")} of cells that this page no longer has.`);
    }
    for (const cell of added) this.#create(cell);
    for (const [id, source] of Object.entries(edits).filter(isOnPage)) void this.#cells.get(id)!.run(source);
    for (const { id, source } of added) void this.#cells.get(id)!.run(source);
  }

  #host() {
    return {
      notebook: this.#notebook!,
      changed: () => this.#saveEdits(),
      ran: (cell: LiveCell) => {
        // What it declares may be what others have waited for.
        for (const other of this.#cells.values()) {
          if (other !== cell && /is not defined/.test(other.error?.message ?? "")) void other.run(other.source);
        }
        this.#show();
      },
      add: (below: LiveCell, language: CellLanguage, source?: string) => {
        const after = below.original === undefined ? this.#anchorOf(below) : below.id;
        const cell = this.#create(
          { id: `${addedIdPrefix}${Date.now().toString(36)}`, after, language, source: "" },
          below.end,
        );
        if (source !== undefined) {
          void cell.run(source);
          this.#saveEdits();
        }
        cell.toggle();
      },
      remove: (cell: LiveCell) => {
        const { id, language, source } = cell;
        const removed = { id, after: this.#anchorOf(cell), language, source };
        const restoreButton = this.#button("Restore cell", () => {
          void this.#create(removed, restoreButton).run(source);
          restoreButton.remove();
          this.#saveEdits();
        });
        cell.node.before(restoreButton);
        this.#removeCell(cell);
        this.#saveEdits();
        restoreButton.focus();
      },
    };
  }

  /** Puts a new cell below another one, or below what stands for it. */
  #create({ id, after, language, source }: AddedCell, anchor = this.#endOf(after)): LiveCell {
    const block = element("div", { class: "observablehq observablehq--block added-cell" });
    block.dataset.after = after;
    block.append(document.createComment(`:${id}:`));
    anchor.after(block);
    const cell = new this.#editing!.LiveCell(id, block, language, source, undefined, undefined, this.#host());
    this.#cells.set(id, cell);
    cell.show();
    return cell;
  }

  #removeCell(cell: LiveCell): void {
    this.#cells.delete(cell.id);
    cell.delete();
  }

  #anchorOf({ block }: LiveCell): string {
    return block.dataset.after!;
  }

  /** Where one of the page's cells ends, with those that the reader added below it. */
  #endOf(after: string): Element {
    const added = this.#added().filter((cell) => this.#anchorOf(cell) === after);
    return (added.at(-1) ?? this.#cells.get(after))?.end ?? this.#blockOf(after);
  }

  #blockOf(id: string): HTMLElement {
    return [...document.querySelectorAll<HTMLElement>(blocks)].find((b) => cellId(b) === id)!;
  }

  /** The reader's own cells, in the order of the page. */
  #added(): LiveCell[] {
    const order = (a: LiveCell, b: LiveCell) =>
      a.block.compareDocumentPosition(b.block) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.#cells.values()].filter(({ original }) => original === undefined).sort(order);
  }

  #edits(): PageEdits {
    const edited = [...this.#cells.values()].filter((cell) => cell.original !== undefined && cell.isEdited);
    return {
      edits: Object.fromEntries(edited.map(({ id, source }) => [id, source])),
      added: this.#added().map((cell) => {
        const { id, language, source } = cell;
        return { id, after: this.#anchorOf(cell), language, source };
      }),
    };
  }

  /** With what is kept and not in the page. */
  #allEdits(): PageEdits {
    const { edits, added } = this.#edits();
    return {
      edits: { ...this.#pendingEdits.edits, ...this.#unmatched, ...edits },
      added: [...this.#pendingEdits.added, ...added],
    };
  }

  /** Keeps the reader's edits. Those of a visit last as long as it, and what was kept before stays. */
  #saveEdits(): void {
    try {
      if (this.#linkedHash === undefined) this.#savedEdits.write(this.#allEdits());
      this.#isSaved = true;
    } catch (error) {
      this.#isSaved = false;
      this.#showError((error as Error).message);
    }
    this.#show();
  }

  #saveLinkedEdits(): void {
    this.#linkedHash = undefined;
    this.#setHash("");
    this.#saveEdits();
  }

  #revertAll(): void {
    if (this.#linkedHash !== undefined) {
      // What the cells have set going ends with the page alone.
      this.#setHash("");
      location.reload();
      return;
    }
    const previousEdits = this.#allEdits();
    this.#replaceAll(noEdits);
    this.#offerRestore(() => this.#replaceAll(previousEdits));
  }

  #save(): void {
    const name =
      location.pathname
        .split("/")
        .at(-1)
        ?.replace(/\.html$/, "") || "index";
    const page = this.#editing!.writePage(this.#markdown, this.#ids, this.#edits());
    saveFile(`${name}.md`, new Blob([page], { type: "text/markdown" }));
  }

  async #copyLink(): Promise<void> {
    let link = location.origin + location.pathname + location.search;
    try {
      link += editsToHash(this.#edits());
    } catch (error) {
      return this.#showError((error as Error).message);
    }
    try {
      await navigator.clipboard.writeText(link);
      this.#showState(`Copied a link with ${describe(this.#edits())}.`);
    } catch {
      const field = element("input", { type: "text", value: link, readonly: true, "aria-label": "Link to copy" });
      this.#panel.replaceChildren(field);
      field.select();
    }
  }

  async #setEditing(isEditing: boolean): Promise<void> {
    if (!(await this.#loadCells())) return;
    this.#isEditing = isEditing;
    if (isEditing) for (const cell of this.#cells.values()) cell.show();
    this.#show();
  }

  #show(): void {
    const edits = this.#edits();
    document.querySelector("#observablehq-main")?.classList.toggle("edits-cells", this.#isEditing);
    this.#toggle.setAttribute("aria-pressed", String(this.#isEditing));
    this.#toggle.textContent = this.#isEditing ? "Done editing" : "Edit the cells";
    for (const button of [this.#revert, this.#download, this.#share])
      button.hidden = isEmpty(edits) && !this.#isEditing;
    this.#saveLinked.hidden = this.#linkedHash === undefined;
    this.#share.disabled = this.#saveLinked.disabled = isEmpty(edits);
    this.#revert.disabled = isEmpty(edits) || this.#question.hasChildNodes();
    this.#showState(
      isEmpty(edits)
        ? this.#isEditing
          ? "Ctrl-Enter or Cmd-Enter runs a cell."
          : ""
        : this.#linkedHash
          ? `${describe(edits)}, for this visit.`
          : `${describe(edits)}, ${this.#isSaved ? "" : "not "}saved in this browser.`,
    );
  }

  #showState(text: string): void {
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  /** What went wrong; it stays until something else is asked or told. */
  #showError(sentence: string): void {
    const message = element("p", { class: "cell-message", role: "alert" });
    showError(message, sentence, "A cell fails");
    this.#panel.replaceChildren(message);
  }

  #button(text: string, onclick: () => void): HTMLButtonElement {
    return element("button", { type: "button", onclick }, text);
  }
}

function cellId(block: HTMLElement): string {
  const marker = [...block.childNodes].find((node) => node.nodeType === Node.COMMENT_NODE) as Comment | undefined;
  return marker?.data.slice(1, -1) ?? "";
}

function describe({ edits, added }: PageEdits): string {
  const changed = Object.keys(edits).length;
  const parts = [changed > 0 && `${counted(changed, "cell")} changed`, added.length > 0 && `${added.length} added`];
  return parts.filter(Boolean).join(", ");
}
