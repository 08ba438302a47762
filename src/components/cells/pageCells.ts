import { html } from "htl";
import { button } from "../page/element.js";
import { type Cell, type CellPlace, cellEditor } from "./cell.js";
import { editsFromHash, editsToHash } from "./linkedEdits.js";
import { Notebook } from "./notebook.js";
import { type AddedCell, describe, type PageEdits, savedEdits, saveEdits, sizeOf } from "./pageEdits.js";
import { question } from "./question.js";

/** The edits of a page's cells, and what the foot of the window says about them. */
export class PageCells {
  /** All edits, whether they have run or not. Some may be of cells that the page no longer has. */
  #edits: PageEdits = { edits: {}, added: [] };
  /** Whether the edits are those of a link. They last for this visit, and the reader's own stay saved. */
  #isLinked = false;
  /** The cells that have an editor: the page's own by id, and those that the reader added. */
  readonly #cells = new Map<string | AddedCell, Cell>();
  readonly #places = placesOfPage();
  readonly #question = html`<div></div>`;
  readonly #summary = html`<div class="row cell-row" role="status"></div>`;

  private constructor(
    readonly notebook: Notebook,
    foot: HTMLElement,
  ) {
    foot.replaceChildren(this.#question, this.#summary);
    this.#ask();
  }

  static async open(foot: HTMLElement): Promise<PageCells> {
    return new PageCells(await Notebook.open(foot.closest(".observablehq--block")!), foot);
  }

  /** Asks whether to run the edits of a link, or else the saved ones. */
  #ask(): void {
    let linked: PageEdits | undefined;
    try {
      linked = editsFromHash(location.hash);
    } catch (error) {
      this.#summary.replaceChildren((error as Error).message);
      removeHash();
    }
    this.#isLinked = linked !== undefined;
    this.#edits = linked ?? savedEdits();
    if (sizeOf(this.#edits) === 0) return;
    // A site that embeds this page could hide the question.
    if (window !== window.top) {
      this.#summary.replaceChildren("Edited cells do not run in a page inside a frame.");
      return;
    }
    const [source, refuseLabel] = linked
      ? ["This link has", "Ignore cells"]
      : ["This browser has saved", "Delete edits"];
    const text = `${source} ${describe(this.#edits)} of this page. ${warning}`;
    const answer = (isAccepted: boolean) => {
      if (!isAccepted && !linked) return this.#revertAll();
      this.#question.replaceChildren();
      if (isAccepted) return this.#runAll();
      removeHash();
      this.#ask();
    };
    this.#question.replaceChildren(question(this.#edits, this.#places, text, refuseLabel, answer));
  }

  #runAll(): void {
    for (const [id, source] of Object.entries(this.#edits.edits)) {
      if (!this.#places.has(id)) continue;
      if (source === "") this.cell(id).delete();
      // Another one of these cells may define the names that it needs.
      else void this.cell(id).run(false);
    }
    for (const added of this.#edits.added) void this.cell(added).run();
  }

  /** Returns a cell with an editor: of the page by its id, or of the reader. */
  cell(key: string | AddedCell): Cell {
    let cell = this.#cells.get(key);
    if (cell) return cell;
    const place = typeof key === "string" ? this.#places.get(key)! : this.#makePlace(key);
    const text = typeof key === "string" ? this.#edits.edits[key] || place.original! : key.source;
    cell = cellEditor(place, text, this);
    this.#cells.set(key, cell);
    return cell;
  }

  /** Returns a place for a cell of the reader, at the end of the page if it has none. */
  #makePlace(key: AddedCell): CellPlace {
    const block = html`<div class="observablehq observablehq--block"></div>`;
    const frame = html`<div class="added-cell">${block}</div>`;
    const siblings = this.#edits.added.filter(({ after, before }) => after === key.after && before === key.before);
    const [above, below] = [-1, 1].map((step) => this.#cells.get(siblings[siblings.indexOf(key) + step])?.place);
    const previous = above?.last ?? this.#places.get(key.after)?.last;
    const next = below?.first ?? this.#places.get(key.before)?.first;
    if (previous) previous.after(frame);
    else if (next) next.before(frame);
    else document.querySelector("#observablehq-main")!.append(frame);
    return { key, block, first: frame, last: frame };
  }

  /** Adds a cell next to another one, and runs it if it does something. */
  add(source: string, { key: next }: CellPlace, isAbove: boolean): void {
    const { added } = this.#edits;
    const isOwn = typeof next === "string";
    const place = !isOwn ? next : isAbove ? { after: "", before: next } : { after: next, before: "" };
    const index = !isOwn ? added.indexOf(next) + (isAbove ? 0 : 1) : isAbove ? added.length : 0;
    const key = { ...place, source };
    added.splice(index, 0, key);
    const cell = this.cell(key);
    cell.open();
    if (source) void cell.run();
  }

  /** Saves the text of a cell, whether it has run or not; "" for a deleted one. Shows the number of edits. */
  save({ key, original }: CellPlace, text: string): void {
    if (typeof key !== "string") key.source = text;
    else if (text === original) delete this.#edits.edits[key];
    else this.#edits.edits[key] = text;
    const edits = this.#kept;
    const saved = () => (saveEdits(edits) ? "saved in this browser" : "not saved: too large, or the storage is full");
    const summary = [
      `${describe(edits)}, ${this.#isLinked ? "for this visit" : saved()}.`,
      button("Revert all", () => this.#revertAll()),
      button("Copy a link", () => void this.#copyLink()),
    ];
    this.#summary.replaceChildren(...(sizeOf(edits) > 0 ? summary : []));
  }

  /** The edits without cells of the reader that are empty or deleted. */
  get #kept(): PageEdits {
    const { edits, added } = this.#edits;
    return { edits, added: added.filter(({ source }) => source !== "") };
  }

  #revertAll(): void {
    if (!confirm("Revert all edits of this page?")) return;
    if (!this.#isLinked) saveEdits({ edits: {}, added: [] });
    removeHash();
    // Only leaving the page ends what its cells have started.
    location.reload();
  }

  async #copyLink(): Promise<void> {
    const edits = this.#kept;
    try {
      await navigator.clipboard.writeText(new URL(editsToHash(edits), location.href).href);
      this.#summary.replaceChildren(`Copied a link with ${describe(edits)}.`);
    } catch (error) {
      this.#summary.replaceChildren(`The link was not copied: ${(error as Error).message}`);
    }
  }
}

const warning =
  "None of them has run. " +
  "They have the rights of this page, including access to your saved runs and edits, so read them first.";

function removeHash(): void {
  history.replaceState(null, "", location.pathname + location.search);
}

/** Returns the page's own cells by id, with the blocks and listings of src/components/page/cellRule.ts. */
function placesOfPage(): Map<string, CellPlace> {
  const places = Array.from(document.querySelectorAll<HTMLElement>("div[data-cell]"), (listing) => {
    const { cell: key = "" } = listing.dataset;
    const original = listing.querySelector("pre")!.textContent.replace(/\n$/, "");
    const block = document.getElementById(`cell-${key}`)!;
    const last = listing.closest("details.code, .hidden-code") ?? listing;
    return { key, block, first: block, last, original, listing };
  });
  return new Map(places.map((place) => [place.key, place]));
}
