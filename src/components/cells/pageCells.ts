import { html } from "htl";
import { saveFile } from "../../host/browser/saveFile.js";
import { button } from "../page/element.js";
import { errorText } from "../page/help.js";
import { Cell } from "./cell.js";
import { editsFromHash, editsToHash } from "./linkedEdits.js";
import { Notebook } from "./notebook.js";
import {
  type AddedCell,
  addedIdPrefix,
  describe,
  isEmpty,
  noEdits,
  type PageEdits,
  savedEdits,
  saveEdits,
} from "./pageEdits.js";
import { writePage } from "./pageFile.js";
import { type CellPlace, placesOfPage } from "./places.js";
import { question } from "./question.js";
import type { Template } from "./templates.js";

/** The part of a `FileAttachment` that is used. */
export interface PageSource {
  text(): Promise<string>;
}

/** The cells of a page that have an editor, and what the foot of the window says about them. */
export class PageCells {
  readonly #cells = new Map<string, Cell>();
  /** Saved edits that are not in the page: those not accepted yet, and those of cells that it no longer has. */
  #pending = savedEdits();
  /** Whether the edits are those of a link. They last for this visit, and the reader's own stay saved. */
  #isLinked = false;
  readonly #question = html`<div></div>`;
  readonly #summary = html`<div class="row cell-row" role="status"></div>`;
  readonly #message = html`<div></div>`;

  private constructor(
    readonly notebook: Notebook,
    readonly places: ReadonlyMap<string, CellPlace>,
    readonly source: PageSource,
    foot: HTMLElement,
  ) {
    foot.replaceChildren(this.#question, this.#summary, this.#message);
    this.#ask();
  }

  static async open(foot: HTMLElement, source: PageSource): Promise<PageCells> {
    const notebook = await Notebook.open(foot.closest(".observablehq--block")!.id.replace("cell-", ""));
    return new PageCells(notebook, placesOfPage(), source, foot);
  }

  /** Opens the editor of a cell of the page. */
  edit(id: string): void {
    this.#at(this.places.get(id)!).open();
  }

  add(side: "above" | "below", { place: next }: Cell, template: Template): void {
    const ofPage = side === "above" ? { after: "", before: next.id } : { after: next.id };
    const { after = "", before } = next.original === undefined ? next : ofPage;
    const cell = this.#create({ id: `${addedIdPrefix}${Date.now().toString(36)}`, after, before, ...template });
    if (side === "above") next.first.before(cell.place.first);
    else next.last.after(cell.place.first);
    cell.open();
    if (template.source) void cell.run();
    this.changed();
  }

  runOthers(than: Cell): void {
    for (const cell of this.#cells.values()) if (cell !== than && cell.isMissingName) void cell.run();
  }

  /** Saves the edits and shows their number. */
  changed(): void {
    const edits = this.#edits();
    let where = "for this visit";
    try {
      if (!this.#isLinked) {
        saveEdits(this.#all());
        where = "saved in this browser";
      }
    } catch (error) {
      where = `not saved in this browser: ${(error as Error).message}`;
    }
    const actions = [
      button("Revert all", () => this.#revertAll()),
      button("Copy a link", () => void this.#copyLink()),
      button("Download the page", () => void this.#download()),
    ];
    this.#summary.replaceChildren(...(isEmpty(edits) ? [] : [`${describe(edits)}, ${where}.`, ...actions]));
  }

  /** Returns the edits in the page, whether they have run or not. */
  #edits(): PageEdits {
    const edits: PageEdits["edits"] = {};
    const added: AddedCell[] = [];
    for (const { place, source } of this.#cells.values()) {
      if (place.original !== undefined && source !== place.original) edits[place.id] = source;
    }
    for (const { id } of document.querySelectorAll(".added-cell")) {
      const { place, source } = this.#cells.get(id)!;
      const { after = "", before, language } = place;
      if (source !== "") added.push({ id, after, before, language, source });
    }
    return { edits, added };
  }

  /** Returns the edits in the page and the saved ones that are not. */
  #all(): PageEdits {
    const { edits, added } = this.#edits();
    return { edits: { ...this.#pending.edits, ...edits }, added: [...this.#pending.added, ...added] };
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
    if (isEmpty(found)) return;
    // A site that embeds this page could hide the question.
    if (window !== window.top) {
      this.#say("Edited cells do not run in a page inside a frame.");
      return;
    }
    const own = isEmpty(this.#all()) ? "" : " Your own edits stay saved, but do not run.";
    const text = linked
      ? `This link contains cells: ${describe(found)}. ${warning} They last until you leave the page.${own}`
      : `This browser has saved edits of this page: ${describe(found)}. ${warning}`;
    const answer = (isAccepted: boolean) => {
      this.#question.replaceChildren();
      if (isAccepted && linked) {
        this.#isLinked = true;
        this.#revertCells();
      } else if (isAccepted) {
        const unknown = Object.entries(found.edits).filter(([id]) => !this.places.has(id));
        this.#pending = { edits: Object.fromEntries(unknown), added: [] };
      }
      if (isAccepted) this.#run(found);
      else if (linked) {
        setHash("");
        this.#ask();
      } else this.#revertAll();
    };
    this.#question.replaceChildren(
      question(found, this.places, text, linked ? "Ignore cells" : "Delete edits", answer),
    );
  }

  #run({ edits, added }: PageEdits): void {
    for (const [id, source] of Object.entries(edits)) {
      const place = this.places.get(id);
      if (place && source === "") this.#at(place).delete();
      else if (place) void this.#at(place, source).run();
    }
    for (const cell of added) void this.#create(cell).run();
    this.changed();
  }

  /** Reverts all edits, and offers to restore them. */
  #revertAll(): void {
    if (this.#isLinked) {
      // Only leaving the page ends what its cells have started.
      setHash("");
      location.reload();
      return;
    }
    const edits = this.#all();
    this.#pending = noEdits;
    this.#revertCells();
    const restore = () => {
      this.#pending = edits;
      this.changed();
      this.#ask();
    };
    this.#summary.replaceChildren(button("Restore my edits", restore));
  }

  /** Deletes the reader's cells and reverts the page's own. */
  #revertCells(): void {
    for (const cell of this.#cells.values()) {
      if (cell.place.original !== undefined) cell.revert();
      else {
        cell.remove();
        this.#cells.delete(cell.place.id);
      }
    }
    this.changed();
  }

  /** Returns the cell of a place, with an editor. */
  #at(place: CellPlace, source = place.original ?? ""): Cell {
    const cell = this.#cells.get(place.id) ?? new Cell(place, source, this);
    this.#cells.set(place.id, cell);
    return cell;
  }

  /** Creates a cell of the reader at its place, or else at the end of the page. */
  #create({ source, ...added }: AddedCell): Cell {
    const block = html`<div class="observablehq observablehq--block"></div>`;
    const frame = html`<div class="added-cell" id=${added.id}>${block}</div>`;
    const previous = this.places.get(added.after);
    const next = this.places.get(added.before ?? "");
    if (previous) {
      let end = previous.last;
      while (end.nextElementSibling?.matches(".added-cell")) end = end.nextElementSibling;
      end.after(frame);
    } else if (next) next.first.before(frame);
    else document.querySelector("#observablehq-main")!.append(frame);
    return this.#at({ ...added, block, first: frame, last: frame }, source);
  }

  async #copyLink(): Promise<void> {
    try {
      const link = location.origin + location.pathname + location.search + editsToHash(this.#edits());
      await navigator.clipboard.writeText(link);
      this.#say(`Copied a link with ${describe(this.#edits())}.`);
    } catch (error) {
      this.#say(`The link was not copied: ${(error as Error).message}`);
    }
  }

  async #download(): Promise<void> {
    const originals = new Map([...this.places].map(([id, { original }]) => [id, original!]));
    const page = writePage(await this.source.text(), originals, this.#edits());
    const [, name] = /([^/]*?)(?:\.html)?$/.exec(location.pathname)!;
    saveFile(`${name || "index"}.md`, new Blob([page]));
  }

  #say(sentence: string): void {
    const close = button("Close", () => this.#message.replaceChildren());
    this.#message.replaceChildren(
      html`<p class="cell-message" role="alert">${errorText(sentence, "A cell fails")} ${close}</p>`,
    );
  }
}

const warning =
  "None of them has run. " +
  "They have the rights of this page, including access to your saved runs and edits, so read them first.";

function setHash(hash: string): void {
  history.replaceState(null, "", location.pathname + location.search + hash);
}
