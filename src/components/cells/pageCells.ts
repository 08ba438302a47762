import type { AttachedFile } from "observablehq:stdlib";
import { html } from "htl";
import { saveFile } from "../../host/browser/saveFile.js";
import { button } from "../page/element.js";
import { Cell, type CellPlace } from "./cell.js";
import { editsFromHash, editsToHash } from "./linkedEdits.js";
import { Notebook } from "./notebook.js";
import { type AddedCell, describe, noEdits, type PageEdits, savedEdits, saveEdits, sizeOf } from "./pageEdits.js";
import { writePage } from "./pageFile.js";
import { question } from "./question.js";

/** The cells of a page that have an editor, and what the foot of the window says about them. */
export class PageCells {
  /** By id; the page's own with their first edit. */
  readonly #cells = new Map<string, Cell>();
  /** Saved edits that are not in the page: those not accepted yet, and those of cells that it no longer has. */
  #pending = savedEdits();
  /** Whether the edits are those of a link. They last for this visit, and the reader's own stay saved. */
  #isLinked = false;
  readonly #places = placesOfPage();
  readonly #question = html`<div></div>`;
  readonly #summary = html`<div class="row cell-row" role="status"></div>`;
  readonly #message = html`<div></div>`;

  private constructor(
    readonly notebook: Notebook,
    readonly source: AttachedFile,
    foot: HTMLElement,
  ) {
    foot.replaceChildren(this.#question, this.#summary, this.#message);
    this.#ask();
  }

  static async open(foot: HTMLElement, source: AttachedFile): Promise<PageCells> {
    const notebook = await Notebook.open(foot.closest(".observablehq--block")!.id.replace("cell-", ""));
    return new PageCells(notebook, source, foot);
  }

  /** Opens the editor of a cell of the page. */
  edit(id: string): void {
    this.#at(this.#places.get(id)!).open();
  }

  /** Adds a cell next to another one, and runs it if it does something. */
  add(source: string, { place: next }: Cell, isAbove: boolean): void {
    const ofPage = isAbove ? { after: "", before: next.id } : { after: next.id, before: "" };
    const { after, before } = next.original === undefined ? next : ofPage;
    const cell = this.#create({ after, before, source });
    if (isAbove) next.first.before(cell.place.first);
    else next.last.after(cell.place.first);
    cell.open();
    if (source) void cell.run();
  }

  /** Saves the edits and shows their number. */
  changed(): void {
    const edits = this.#edits();
    const all = {
      edits: { ...this.#pending.edits, ...edits.edits },
      added: [...this.#pending.added, ...edits.added],
    };
    const saved = () => (saveEdits(all) ? "saved in this browser" : "not saved: too large, or the storage is full");
    const actions = [
      `${describe(edits)}, ${this.#isLinked ? "for this visit" : saved()}.`,
      button("Revert all", () => this.#revertAll()),
      button("Copy a link", () => void this.#copyLink()),
      button("Download the page", () => void this.#download()),
    ];
    this.#summary.replaceChildren(...(sizeOf(edits) > 0 ? actions : []));
  }

  /** Returns the edits in the page, whether they have run or not. */
  #edits(): PageEdits {
    const edits: PageEdits["edits"] = {};
    for (const { place, source } of this.#cells.values()) {
      if (place.original !== undefined && source !== place.original) edits[place.id] = source;
    }
    const added = Array.from(document.querySelectorAll(".added-cell"), ({ id }) => this.#cells.get(id)!)
      .filter(({ source }) => source !== "")
      .map(({ place: { after, before }, source }) => ({ after, before, source }));
    return { edits, added };
  }

  /** Asks whether to run the edits of a link, or else the saved ones. */
  #ask(): void {
    let linked: PageEdits | undefined;
    try {
      linked = editsFromHash(location.hash);
    } catch (error) {
      this.#say((error as Error).message);
      setHash("");
    }
    const found = linked ?? this.#pending;
    if (sizeOf(found) === 0) return;
    // A site that embeds this page could hide the question.
    if (window !== window.top) {
      this.#say("Edited cells do not run in a page inside a frame.");
      return;
    }
    const text = linked
      ? `This link has ${describe(found)}. ${warning} They last until you leave the page. Your own edits stay saved.`
      : `This browser has saved ${describe(found)} of this page. ${warning}`;
    const answer = (isAccepted: boolean) => {
      this.#question.replaceChildren();
      if (isAccepted) {
        this.#isLinked = linked !== undefined;
        this.#run(found);
      } else if (linked) {
        setHash("");
        this.#ask();
      } else this.#revertAll();
    };
    const refuseLabel = linked ? "Ignore cells" : "Delete edits";
    this.#question.replaceChildren(question(found, this.#places, text, refuseLabel, answer));
  }

  #run({ edits, added }: PageEdits): void {
    const unknown: PageEdits = { edits: {}, added: [] };
    for (const [id, source] of Object.entries(edits)) {
      const place = this.#places.get(id);
      if (!place) unknown.edits[id] = source;
      else if (source === "") this.#at(place).delete();
      // Another one of these cells may define the names that it needs.
      else void this.#at(place, source).run(false);
    }
    if (!this.#isLinked) this.#pending = unknown;
    for (const cell of added) void this.#create(cell).run();
    this.changed();
  }

  #revertAll(): void {
    if (!confirm("Revert all edits of this page?")) return;
    if (!this.#isLinked) saveEdits(noEdits);
    setHash("");
    // Only leaving the page ends what its cells have started.
    location.reload();
  }

  /** Returns the cell of a place, with an editor. */
  #at(place: CellPlace, source = place.original ?? ""): Cell {
    const cell = this.#cells.get(place.id) ?? new Cell(place, source, this);
    this.#cells.set(place.id, cell);
    return cell;
  }

  /** Creates a cell of the reader at its place, or else at the end of the page. */
  #create({ source, ...added }: AddedCell): Cell {
    const id = `added-${this.#cells.size}`;
    const block = html`<div class="observablehq observablehq--block"></div>`;
    const frame = html`<div class="added-cell" id=${id}>${block}</div>`;
    let end = this.#places.get(added.after)?.last;
    while (end?.nextElementSibling?.matches(".added-cell")) end = end.nextElementSibling;
    const next = this.#places.get(added.before)?.first;
    if (end) end.after(frame);
    else if (next) next.before(frame);
    else document.querySelector("#observablehq-main")!.append(frame);
    return this.#at({ ...added, id, block, first: frame, last: frame }, source);
  }

  async #copyLink(): Promise<void> {
    const edits = this.#edits();
    try {
      await navigator.clipboard.writeText(new URL(editsToHash(edits), location.href).href);
      this.#say(`Copied a link with ${describe(edits)}.`);
    } catch (error) {
      this.#say(`The link was not copied: ${(error as Error).message}`);
    }
  }

  async #download(): Promise<void> {
    const ids = new Map(Array.from(this.#places.values(), ({ id, original }) => [original!, id]));
    saveFile(this.source.name, new Blob([writePage(await this.source.text(), ids, this.#edits())]));
  }

  #say(sentence: string): void {
    const close = button("Close", () => this.#message.replaceChildren());
    this.#message.replaceChildren(html`<p class="cell-message" role="alert">${sentence} ${close}</p>`);
  }
}

const warning =
  "None of them has run. " +
  "They have the rights of this page, including access to your saved runs and edits, so read them first.";

function setHash(hash: string): void {
  history.replaceState(null, "", location.pathname + location.search + hash);
}

/** Returns the page's own cells by id, with the blocks and listings of src/components/page/cellRule.ts. */
function placesOfPage(): Map<string, CellPlace> {
  const places = Array.from(document.querySelectorAll<HTMLElement>("div[data-cell]"), (listing) => {
    const { cell: id = "" } = listing.dataset;
    const original = listing.querySelector("pre")!.textContent.replace(/\n$/, "");
    const block = document.getElementById(`cell-${id}`)!;
    const last = listing.closest("details.code, .hidden-code") ?? listing;
    const own = { after: "", before: "", original, listing };
    return { id, block, first: block, last, ...own };
  });
  return new Map(places.map((place) => [place.id, place]));
}
