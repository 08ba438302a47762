import { html } from "htl";
import { button } from "../page/element.js";
import { type CellHost, LiveCell } from "./liveCell.js";
import { cellId, type Notebook } from "./notebook.js";
import { type AddedCell, addedIdPrefix, type CellLanguage, isLanguage, type PageEdits } from "./pageEdits.js";
import { cellsOf, proseClass } from "./pageSource.js";

/** The bar of the page, which summarizes and saves the edits. */
interface CellBar {
  readonly node: HTMLElement;
  saveEdits(): void;
  saveDrafts(): void;
  show(): void;
}

/** Selects Framework's blocks of cells, and the blocks of prose. */
const blocks = `#observablehq-main :is(.observablehq--block, .${proseClass})`;

/** The cells of a page that can be edited: its own, and those that the reader added. */
export class CellList implements CellHost {
  readonly cells = new Map<string, LiveCell>();
  /** The blocks of all the page's own cells by id, in order. */
  readonly #blocks = new Map<string, HTMLElement>();
  #wrapsLines = false;
  /** @param markdown the page's source */
  constructor(
    readonly notebook: Notebook,
    readonly markdown: string,
    readonly bar: CellBar,
  ) {
    const elements = document.querySelectorAll<HTMLElement>(blocks);
    for (const [index, { language, source, echo }] of cellsOf(markdown).entries()) {
      const block = elements[index];
      const id = cellId(block);
      this.#blocks.set(id, block);
      if (block.contains(bar.node) || !isLanguage(language)) continue;
      const listing = echo ? (block.nextElementSibling as HTMLElement) : undefined;
      this.cells.set(id, new LiveCell(id, block, language, source, listing, this));
    }
  }

  /** The ids of the page's own cells, in order. */
  get ids(): string[] {
    return [...this.#blocks.keys()];
  }

  get wrapsLines(): boolean {
    return this.#wrapsLines;
  }

  set wrapsLines(wraps) {
    this.#wrapsLines = wraps;
    for (const cell of this.cells.values()) cell.wrapLines(wraps);
  }

  /** Returns the edits that are in use. A new cell is an edit once it has run. */
  edits(): PageEdits {
    return this.#editsOf(({ source, isOwn, isEdited }) => ((isOwn ? isEdited : source) ? source : undefined));
  }

  /** Returns the texts that were typed and have not run. */
  drafts(): PageEdits {
    return this.#editsOf(({ draft }) => draft);
  }

  /** @param textOf returns undefined for cells that are left out */
  #editsOf(textOf: (cell: LiveCell) => string | undefined): PageEdits {
    const edits: Record<string, string> = {};
    const added: AddedCell[] = [];
    for (const cell of this.#ordered()) {
      const { id, block, language, isOwn } = cell;
      const source = textOf(cell);
      if (source === undefined) continue;
      if (isOwn) edits[id] = source;
      else added.push({ id, after: this.#anchorOf(block), language, source });
    }
    return { edits, added };
  }

  /** Runs edits. Returns those of cells that the page no longer has, which are skipped. */
  run({ edits, added }: PageEdits): Record<string, string> {
    for (const [id, source] of Object.entries(edits)) void this.cells.get(id)?.run(source);
    for (const cell of added) void (this.cells.get(cell.id) ?? this.#create(cell)).run(cell.source);
    return Object.fromEntries(Object.entries(edits).filter(([id]) => !this.cells.has(id)));
  }

  /** Deletes the reader's cells and drafts, and reverts the page's own cells, except for those with another edit. */
  revertAll({ edits }: PageEdits): void {
    for (const cell of [...this.cells.values()]) {
      if (!cell.isOwn) this.#remove(cell);
      else if (!(cell.id in edits) && (cell.isEdited || cell.draft !== undefined)) cell.revert();
    }
  }

  /** Puts drafts into the editors of their cells, or into new cells. None runs. */
  keepDrafts({ edits, added }: PageEdits): void {
    const homeless: AddedCell[] = [];
    for (const [id, source] of Object.entries(edits)) {
      const cell = this.cells.get(id);
      const language = id.startsWith("md-") ? "md" : "js";
      if (cell) cell.draft = source;
      else homeless.push({ id: `${addedIdPrefix}${id}`, after: "", language, source });
    }
    for (const cell of [...added, ...homeless]) (this.cells.get(cell.id) ?? this.#create(cell)).draft = cell.source;
  }

  /** Opens the editors of cells with drafts. */
  openDrafts(): void {
    for (const cell of this.cells.values()) if (cell.draft !== undefined) cell.open();
  }

  /**
   * Runs cells again: the text of open editors, and otherwise the sources in use.
   * @param first runs with all cells below; all of the page if undefined
   */
  runAll(first?: LiveCell): void {
    const cells = this.#ordered();
    const unchanged = cells.slice(first && cells.indexOf(first)).filter((cell) => !cell.runAgain());
    this.notebook.rerun(
      unchanged.map(({ runtime }) => runtime),
      this.bar.node.closest(blocks)!,
    );
  }

  ran(cell: LiveCell): void {
    // Other cells may have failed for lack of its names.
    for (const other of this.cells.values()) {
      if (other !== cell && /is not defined/.test(other.error?.message ?? "")) void other.run(other.source);
    }
    this.bar.show();
  }

  goBelow(cell: LiveCell): void {
    const shown = this.#ordered().filter((other) => other === cell || other.node.checkVisibility());
    const next = shown[shown.indexOf(cell) + 1];
    if (!next) this.insert("below", cell, "js");
    else if (next.isOpen) next.edit();
    else next.node.focus();
  }

  insert(
    position: "above" | "below",
    next: LiveCell,
    language: CellLanguage,
    { source, draft }: { source?: string; draft?: string } = {},
  ): void {
    if (position === "above" && next.id === this.ids[0]) return;
    const cell = this.#create({ id: `${addedIdPrefix}${Date.now().toString(36)}`, language }, (block) => {
      if (position === "below") next.end.after(block);
      else if (!next.isOwn) next.node.before(block);
      else this.#endOf(this.ids[this.ids.indexOf(next.id) - 1]).after(block);
    });
    if (source !== undefined) void cell.run(source);
    cell.edit();
    if (draft !== undefined) cell.draft = draft;
    this.bar.saveEdits();
  }

  remove(cell: LiveCell): void {
    const { id, language, source, draft, isOwn } = cell;
    const restoreButton = button("Restore cell", () => {
      const restored = isOwn ? cell : this.#create({ id, language }, (block) => restoreButton.after(block));
      restoreButton.remove();
      if (source) void restored.run(source);
      if (draft !== undefined) restored.draft = draft;
      restored.node.focus();
      this.bar.saveEdits();
    });
    cell.node.before(restoreButton);
    if (isOwn) cell.empty();
    else this.#remove(cell);
    restoreButton.focus();
    this.bar.saveEdits();
  }

  #remove(cell: LiveCell): void {
    this.cells.delete(cell.id);
    cell.delete();
  }

  /**
   * Inserts an empty cell of the reader's.
   * @param place inserts its block; below the cell `after` or, if the page has no such cell, at the end by default
   */
  #create(
    { id, language, after = "" }: Pick<AddedCell, "id" | "language"> & { after?: string },
    place = (block: HTMLElement) => this.#endOf(this.#blocks.has(after) ? after : this.ids.at(-1)!).after(block),
  ): LiveCell {
    const block = html<HTMLElement>`<div class="observablehq observablehq--block added-cell"></div>`;
    block.append(document.createComment(`:${id}:`));
    place(block);
    const cell = new LiveCell(id, block, language, undefined, undefined, this);
    this.cells.set(id, cell);
    return cell;
  }

  /** Returns the id of the page's cell that precedes an added one. */
  #anchorOf(block: HTMLElement): string {
    const isBefore = (own: HTMLElement) => own.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...this.#blocks].findLast(([, own]) => isBefore(own))![0];
  }

  /** Returns the last element of a page's cell, including the cells that the reader added below it. */
  #endOf(id: string): Element {
    const added = this.#ordered().filter(({ isOwn, block }) => !isOwn && this.#anchorOf(block) === id);
    return (added.at(-1) ?? this.cells.get(id))?.end ?? this.#blocks.get(id)!;
  }

  /** Returns all cells in the order of the page. */
  #ordered(): LiveCell[] {
    const order = (a: LiveCell, b: LiveCell) =>
      a.block.compareDocumentPosition(b.block) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.cells.values()].sort(order);
  }
}
