import { html } from "htl";
import { LiveCell } from "./liveCell.js";
import type { Notebook } from "./notebook.js";
import { type AddedCell, addedIdPrefix, type PageEdits } from "./pageEdits.js";
import { type CellPlace, endOf } from "./places.js";
import type { Template } from "./templates.js";

/** The cells of a page that have an editor. */
export class CellList {
  readonly cells = new Map<string, LiveCell>();
  /** Edits of cells that the page no longer has. They stay saved. */
  #skipped: Record<string, string> = {};

  /**
   * @param places those of the page's own cells by id
   * @param changed called when the text of a cell or the list changes
   */
  constructor(
    readonly notebook: Notebook,
    readonly places: ReadonlyMap<string, CellPlace>,
    readonly changed: () => void,
  ) {}

  /** Returns the cell of a place, with an editor. */
  at(place: CellPlace, source = place.original ?? ""): LiveCell {
    const cell = this.cells.get(place.id) ?? new LiveCell(place, source, this);
    this.cells.set(place.id, cell);
    return cell;
  }

  /** Runs edits. Those of cells that the page no longer has are skipped. */
  run({ edits, added }: PageEdits): void {
    for (const [id, source] of Object.entries(edits)) {
      const place = this.places.get(id);
      if (!place) this.#skipped[id] = source;
      else if (source === "") this.at(place).delete();
      else void this.at(place, source).run();
    }
    const following = new Map<string, string>();
    for (const cell of added) {
      // Earlier versions named the same cell for all that follow it.
      const after = following.get(cell.after) ?? cell.after;
      following.set(cell.after, cell.id);
      void this.#create({ ...cell, after }).run();
    }
  }

  /** Returns the texts that differ from the page's own, whether they have run or not. */
  edits(): PageEdits {
    const edits = { ...this.#skipped };
    const added: AddedCell[] = [];
    const ends = new Map([...this.#ends()].map(([cell, end]) => [end, cell]));
    const order = (a: LiveCell, b: LiveCell) => (isBefore(a.place.block, b.place.block) ? -1 : 1);
    for (const { place, text, isEdited, isDeleted } of [...this.cells.values()].sort(order)) {
      const { id, block, original, language } = place;
      if (original !== undefined && (isEdited || isDeleted)) edits[id] = isDeleted ? "" : text;
      if (original !== undefined || isDeleted) continue;
      const after = ends.get(block.previousElementSibling!) ?? "";
      const next = [...this.places.values()].find((other) => isBefore(block, other.block));
      added.push({ id, after, before: after ? undefined : next?.id, language, source: text });
    }
    return { edits, added };
  }

  /** Deletes the reader's cells and reverts the page's own. */
  revertAll(): void {
    this.#skipped = {};
    for (const [id, cell] of this.cells) {
      if (cell.place.original !== undefined) cell.revert();
      else {
        cell.remove();
        this.cells.delete(id);
      }
    }
  }

  ran(cell: LiveCell): void {
    // Other cells may have failed for lack of its names.
    for (const other of this.cells.values()) if (other !== cell && other.isMissingName) void other.run();
  }

  add(place: "above" | "below", next: LiveCell, { source, language }: Template): void {
    const id = `${addedIdPrefix}${Date.now().toString(36)}`;
    const insert = (block: Element) => (place === "below" ? next.end.after(block) : next.place.block.before(block));
    const cell = this.#create({ id, language, source }, insert);
    cell.open();
    if (source) void cell.run();
    this.changed();
  }

  /** @param insert inserts its block; by default where its saved place is, or else at the end of the page */
  #create(
    { id, language, source, after = "", before = "" }: Omit<AddedCell, "after"> & { after?: string },
    insert = (block: Element) => {
      const end = new Map(this.#ends()).get(after);
      const next = this.places.get(before)?.block;
      if (end) end.after(block);
      else if (next) next.before(block);
      else document.querySelector("#observablehq-main")!.append(block);
    },
  ): LiveCell {
    const block = html<HTMLElement>`<div class="observablehq observablehq--block added-cell"></div>`;
    block.append(document.createComment(`:${id}:`));
    insert(block);
    return this.at({ id, block, language }, source);
  }

  /** Returns the ids of all cells with their last elements. */
  *#ends(): Generator<[string, Element]> {
    for (const [id, { listing, block }] of this.places) yield [id, endOf(listing ?? block)];
    for (const [id, { end }] of this.cells) yield [id, end];
  }
}

function isBefore(a: Element, b: Element): boolean {
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
