import { html } from "htl";
import { stripTypes } from "../../host/browser/stripTypes.js";
import { button } from "../page/element.js";
import { counted } from "../page/format.js";
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

/** A change of the list of cells: the reader's cells and edits before and after. Other edits run in between. */
interface ListChange {
  before: PageEdits;
  after: PageEdits;
}

/** Selects Framework's blocks of cells, and the blocks of prose. */
const blocks = `#observablehq-main :is(.observablehq--block, .${proseClass})`;

/** The cells of a page that can be edited: its own, and those that the reader added. */
export class CellList implements CellHost {
  readonly cells = new Map<string, LiveCell>();
  /** The blocks of all the page's own cells by id, in order. */
  readonly #blocks = new Map<string, HTMLElement>();
  #wrapsLines = false;
  /** The changes that can be undone and redone, the next one last. */
  #done: ListChange[] = [];
  #undone: ListChange[] = [];
  /** What deleted cells contained, and the buttons that restore them, by id. */
  readonly #deleted = new Map<string, { source: string; draft: string | undefined; button?: HTMLElement }>();

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

  /** Returns the reader's cells, those that have not run included, and the edits of the page's own. */
  #list(): PageEdits {
    return this.#editsOf(({ source, isEdited }) => (isEdited ? source : undefined));
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
    this.#done = [];
    this.#undone = [];
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

  ran(cell: LiveCell, before: readonly string[]): void {
    // Other cells may have failed for lack of its names.
    for (const other of this.cells.values()) {
      if (other !== cell && /is not defined/.test(other.error?.message ?? "")) void other.run(other.source);
    }
    this.bar.show();
    const { outputs } = cell.runtime;
    const gone = before.filter((name) => !outputs.includes(name));
    const come = outputs.filter((name) => !before.includes(name));
    if (gone.length === 1 && come.length === 1) void this.#offerRename(cell, gone[0], come[0]);
  }

  /** Offers to rename a variable in the cells that use it. */
  async #offerRename(cell: LiveCell, from: string, to: string): Promise<void> {
    const { placesOf, renameAt } = await import("./places.js");
    const found = [...this.cells.values()].map(async (other) => {
      const places = await placesOf(other.source, other.language, stripTypes);
      return { other, renamed: renameAt(other.source, places, from, to) };
    });
    const uses = (await Promise.all(found)).filter(({ other, renamed }) => other !== cell && renamed !== other.source);
    if (uses.length === 0 || this.notebook.values().has(from)) return;
    const sentence = `${counted(uses.length, "other cell")} of this page ${uses.length === 1 ? "uses" : "use"} ${from}.`;
    cell.offer(sentence, `Rename it to ${to} there`, () => {
      this.#alter(() => {
        for (const { other, renamed } of uses) void other.run(renamed);
      });
    });
  }

  commandsOf(cell: LiveCell) {
    return {
      runAndGo: () => {
        cell.runText();
        const next = this.#neighbor(cell, 1);
        if (!next) this.insert("below", cell, "js");
        else if (next.isOpen) next.edit();
        else next.node.focus();
      },
      runBelow: () => this.runAll(cell),
      save: () => this.bar.saveEdits(),
      previous: () => this.#neighbor(cell, -1)?.node.focus(),
      next: () => this.#neighbor(cell, 1)?.node.focus(),
      moveUp: () => this.#move(cell, -1),
      moveDown: () => this.#move(cell, 1),
      remove: () => this.#deleteWithOffer(cell),
      insertAbove: () => this.insert("above", cell, "js"),
      insertBelow: () => this.insert("below", cell, "js"),
      undo: () => this.undo(),
      redo: () => this.undo(true),
    };
  }

  insert(
    position: "above" | "below",
    next: LiveCell,
    language: CellLanguage,
    { source, draft }: { source?: string; draft?: string } = {},
  ): void {
    if (position === "above" && next.id === this.ids[0]) return;
    this.#alter(() => {
      const id = `${addedIdPrefix}${Date.now().toString(36)}`;
      const cell = this.#create({ id, language }, (block) => this.#place(block, position, next));
      if (source !== undefined) void cell.run(source);
      cell.edit();
      if (draft !== undefined) cell.draft = draft;
    });
  }

  /** Moves a cell that the reader added past the next visible one. */
  #move(cell: LiveCell, by: 1 | -1): void {
    const next = this.#neighbor(cell, by);
    if (cell.isOwn || !next || (by < 0 && next.id === this.ids[0])) return;
    this.#alter(() => {
      this.#place(cell.block, by < 0 ? "above" : "below", next);
      cell.moved();
    });
  }

  /** Deletes a cell, and offers to restore it. */
  #deleteWithOffer(cell: LiveCell): void {
    const { id, language } = cell;
    const restoreButton = button("Restore cell", () =>
      this.#alter(() =>
        this.#restore(cell.isOwn ? cell : this.#create({ id, language }, (block) => restoreButton.after(block))),
      ),
    );
    cell.node.before(restoreButton);
    this.#alter(() => this.#delete(cell, restoreButton));
    restoreButton.focus();
  }

  /** Makes a change of the list of cells that the reader can undo. */
  #alter(change: () => void): void {
    const before = this.#list();
    change();
    const after = this.#list();
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      this.#done.push({ before, after });
      this.#undone = [];
    }
    this.bar.saveEdits();
  }

  /** Undoes the last change of the list of cells, or redoes the last one that was undone. */
  undo(isRedo = false): void {
    const [from, to] = isRedo ? [this.#undone, this.#done] : [this.#done, this.#undone];
    const change = from.pop();
    if (!change) return;
    to.push(change);
    const { before, after } = change;
    if (isRedo) this.#replaceList(before, after);
    else this.#replaceList(after, before);
    this.bar.saveEdits();
  }

  /** Changes the cells that differ between two lists. */
  #replaceList(now: PageEdits, then: PageEdits): void {
    let changed: LiveCell | undefined;
    for (const { id } of now.added) {
      if (then.added.some((cell) => cell.id === id)) continue;
      const cell = this.cells.get(id)!;
      changed = this.#neighbor(cell, -1);
      this.#delete(cell);
    }
    for (const [index, { id, after, language, source }] of then.added.entries()) {
      const previous = then.added[index - 1];
      const end = previous?.after === after ? this.cells.get(previous.id)!.end : this.#ownEndOf(after);
      const before = now.added.find((cell) => cell.id === id);
      const cell = this.cells.get(id) ?? this.#create({ id, language }, (block) => end.after(block));
      if (!before) {
        this.#restore(cell);
        changed = cell;
        continue;
      }
      if (end.nextElementSibling !== cell.node) {
        end.after(cell.block);
        cell.moved();
      }
      if (before.source !== source) void cell.run(source);
    }
    for (const id of new Set([now, then].flatMap(({ edits }) => Object.keys(edits)))) {
      const cell = this.cells.get(id)!;
      const [from, to] = [now, then].map(({ edits }) => edits[id] ?? cell.original!);
      if (from === to) continue;
      changed = cell;
      if (to === "") this.#delete(cell);
      else if (from === "") this.#restore(cell);
      else void cell.run(to);
    }
    changed?.node.focus();
  }

  /** Deletes a cell; one of the page leaves its tools. */
  #delete(cell: LiveCell, button?: HTMLElement): void {
    const { id, source, draft } = cell;
    this.#deleted.set(id, { source, draft, button });
    if (cell.isOwn) cell.empty();
    else this.#remove(cell);
  }

  /** Gives a deleted cell what it contained. */
  #restore(cell: LiveCell): void {
    const { source, draft, button } = this.#deleted.get(cell.id)!;
    this.#deleted.delete(cell.id);
    if (source) void cell.run(source);
    if (draft !== undefined) cell.draft = draft;
    button?.remove();
    cell.node.focus();
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

  /** Puts the block of an added cell next to a cell. */
  #place(block: HTMLElement, position: "above" | "below", next: LiveCell): void {
    if (position === "below") next.end.after(block);
    else if (!next.isOwn) next.node.before(block);
    else this.#endOf(this.ids[this.ids.indexOf(next.id) - 1]).after(block);
  }

  /** Returns the id of the page's cell that precedes an added one. */
  #anchorOf(block: HTMLElement): string {
    const isBefore = (own: HTMLElement) => own.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [...this.#blocks].findLast(([, own]) => isBefore(own))![0];
  }

  /** Returns the last element of a page's cell. */
  #ownEndOf(id: string): Element {
    return this.cells.get(id)?.end ?? this.#blocks.get(id)!;
  }

  /** Returns the last element of a page's cell, including the cells that the reader added below it. */
  #endOf(id: string): Element {
    const added = this.#ordered().filter(({ isOwn, block }) => !isOwn && this.#anchorOf(block) === id);
    return added.at(-1)?.end ?? this.#ownEndOf(id);
  }

  /** Returns all cells in the order of the page. */
  #ordered(): LiveCell[] {
    const order = (a: LiveCell, b: LiveCell) =>
      a.block.compareDocumentPosition(b.block) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.cells.values()].sort(order);
  }

  /** Returns the next visible cell below or above. */
  #neighbor(cell: LiveCell, by: 1 | -1): LiveCell | undefined {
    const shown = this.#ordered().filter((other) => other === cell || other.node.checkVisibility());
    return shown[shown.indexOf(cell) + by];
  }
}
