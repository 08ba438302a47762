import { saveFile } from "../../host/saveFile.js";
import { element } from "../element.js";
import { counted } from "../format.js";
import { linkedCells } from "./linkedCells.js";
import { LiveCell } from "./liveCell.js";
import { Notebook } from "./notebook.js";
import {
  type AddedCell,
  editsFromHash,
  editsToHash,
  isEmpty,
  KeptEdits,
  noEdits,
  type PageEdits,
} from "./pageEdits.js";
import { type CellLanguage, cellsOf, writePage } from "./pageSource.js";

/**
 * Makes every code cell of a page one that can be edited, in the page: a bar that turns the cells' editors on, and says
 * what was changed. Edits are kept in this browser. Those that a link brings along are shown, and run when the reader
 * says so.
 * @param source the page's Markdown
 */
export function liveCells(source: Promise<string>): HTMLElement {
  const node = element("section", { class: "live-cells", "aria-label": "The cells of this page" });
  void source.then(
    (markdown) => new LiveCells(node, markdown).open(),
    () => node.append("The page's source did not load, so its cells cannot be edited."),
  );
  return node;
}

/** Framework's blocks of cells, as they stand in the page. */
const blocks = ".observablehq--block";

class LiveCells {
  readonly #bar: HTMLElement;
  readonly #markdown: string;
  readonly #kept = new KeptEdits(location.pathname);
  readonly #cells = new Map<string, LiveCell>();
  /** The page's own cells, in their order. */
  #ids: string[] = [];
  #notebook: Notebook | undefined;
  readonly #state = element("span", { class: "live-cells-state", role: "status" });
  readonly #toggle = this.#button("Edit the cells", () => this.#setEditing(!this.#isEditing));
  readonly #revert = this.#button("Revert all", () => this.#revertAll());
  readonly #download = this.#button("Download the page", () => this.#save());
  readonly #share = this.#button("Copy a link", () => void this.#copyLink());
  readonly #panel = element("div", { class: "live-cells-panel" });
  #isEditing = false;

  constructor(bar: HTMLElement, markdown: string) {
    this.#bar = bar;
    this.#markdown = markdown;
  }

  async open(): Promise<void> {
    const own = this.#bar.closest(blocks)!;
    this.#notebook = await Notebook.open(own);
    this.#bar.append(
      element("div", { class: "live-cells-bar" }, this.#toggle, this.#revert, this.#download, this.#share, this.#state),
      this.#panel,
    );
    const places = [...document.querySelectorAll<HTMLElement>(`#observablehq-main ${blocks}`)];
    for (const [index, { language, source, echo }] of cellsOf(this.#markdown).entries()) {
      const block = places[index];
      const id = cellId(block);
      this.#ids.push(id);
      if (block === own || (language !== "js" && language !== "ts")) continue;
      const listing = echo ? (block.nextElementSibling as HTMLElement) : undefined;
      this.#insert(new LiveCell(id, block, language, source, source, listing, this.#host()));
    }
    const kept = this.#kept.read();
    if (!isEmpty(kept)) this.#offer(kept);
    this.#readLink();
    addEventListener("hashchange", () => this.#readLink());
    this.#show();
  }

  /** Runs what was kept, unless it did not come to an end the last time. */
  #offer(kept: PageEdits): void {
    if (!this.#kept.hasHung) {
      this.#apply(kept);
      return;
    }
    this.#panel.replaceChildren(
      linkedCells(kept, this.#originals(), {
        text: "Your edited cells did not let this page go on the last time, so they have not run.",
        accept: ["Run them again", () => this.#apply(kept)],
        refuse: [
          "Forget them",
          () => {
            this.#panel.replaceChildren();
            this.#kept.write(noEdits);
          },
        ],
      }),
    );
  }

  #readLink(): void {
    try {
      const linked = editsFromHash(location.hash);
      if (!linked) return;
      const mine = this.#edits();
      const leave = () => {
        this.#panel.replaceChildren();
        history.replaceState(null, "", location.pathname + location.search);
      };
      this.#panel.replaceChildren(
        linkedCells(linked, this.#originals(), {
          text: `This link brings cells: ${describe(linked)}. None of them has run. They could do whatever this page can, also with the runs that you keep here, so read them first.${isEmpty(mine) ? "" : " They would take the place of your own."}`,
          accept: [
            "Run them",
            () => {
              leave();
              this.#replaceAll(linked);
              if (!isEmpty(mine)) this.#offerBack(mine);
            },
          ],
          refuse: ["Leave the page as it is", leave],
        }),
      );
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  #offerBack(mine: PageEdits): void {
    const back = this.#button("Bring back my own cells", () => {
      this.#panel.replaceChildren();
      this.#replaceAll(mine);
    });
    this.#panel.replaceChildren(back);
  }

  #replaceAll(edits: PageEdits): void {
    for (const cell of [...this.#cells.values()]) {
      if (cell.original === undefined) this.#drop(cell);
      else if (!(cell.id in edits.edits)) void cell.revert();
    }
    this.#apply(edits);
    this.#keep();
  }

  #apply({ edits, added }: PageEdits): void {
    this.#kept.watch();
    for (const cell of added) if (this.#cells.has(cell.after) || this.#ids.includes(cell.after)) this.#create(cell);
    for (const [id, source] of Object.entries(edits)) void this.#cells.get(id)?.run(source);
    for (const { id, source } of added) void this.#cells.get(id)?.run(source);
    const lost = Object.keys(edits).filter((id) => !this.#cells.has(id)).length;
    this.#panel.replaceChildren();
    this.#show();
    if (lost > 0)
      this.#tell(`${counted(lost, "edited cell")} belonged to an earlier version of this page and is left out.`);
  }

  #host() {
    return {
      notebook: this.#notebook!,
      changed: () => this.#keep(),
      ran: (cell: LiveCell) => {
        // What it declares may be what others have waited for.
        for (const other of this.#cells.values()) {
          if (other !== cell && /is not defined/.test(other.error?.message ?? "")) void other.run(other.source);
        }
        this.#show();
      },
      add: (below: LiveCell, language: CellLanguage) => {
        const after = below.original === undefined ? this.#anchorOf(below) : below.id;
        const cell = this.#create({ id: `added-${Date.now().toString(36)}`, after, language, source: "" }, below);
        cell.toggle();
      },
      remove: (cell: LiveCell) => {
        this.#drop(cell);
        this.#keep();
      },
    };
  }

  /** Puts a new cell below another one. */
  #create({ id, after, language, source }: AddedCell, below = this.#lastBelow(after)): LiveCell {
    const block = element("div", { class: "observablehq observablehq--block added-cell" });
    block.dataset.after = after;
    block.append(document.createComment(`:${id}:`));
    const place = below?.echo ?? below?.block ?? this.#blockOf(after);
    place.after(block);
    const cell = new LiveCell(id, block, language, source, undefined, undefined, this.#host());
    this.#insert(cell);
    return cell;
  }

  #insert(cell: LiveCell): void {
    this.#cells.set(cell.id, cell);
    cell.block.before(cell.node);
  }

  #drop(cell: LiveCell): void {
    this.#cells.delete(cell.id);
    cell.delete();
  }

  #anchorOf({ block }: LiveCell): string {
    return block.dataset.after!;
  }

  /** The last cell that the reader added below one of the page's. */
  #lastBelow(after: string): LiveCell | undefined {
    const added = this.#added().filter((cell) => this.#anchorOf(cell) === after);
    return added.at(-1) ?? this.#cells.get(after);
  }

  #blockOf(id: string): HTMLElement {
    return [...document.querySelectorAll<HTMLElement>(`#observablehq-main ${blocks}`)].find((b) => cellId(b) === id)!;
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

  #originals(): Map<string, string> {
    const own = [...this.#cells.values()].filter(({ original }) => original !== undefined);
    return new Map(own.map(({ id, original }) => [id, original!]));
  }

  #keep(): void {
    this.#show();
    this.#kept.watch();
    try {
      this.#kept.write(this.#edits());
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  #revertAll(): void {
    this.#replaceAll(noEdits);
    this.#show();
  }

  #save(): void {
    const name =
      location.pathname
        .split("/")
        .at(-1)
        ?.replace(/\.html$/, "") || "index";
    const page = writePage(this.#markdown, this.#ids, this.#edits());
    saveFile(`${name}.md`, new Blob([page], { type: "text/markdown" }));
  }

  async #copyLink(): Promise<void> {
    const link = `${location.origin}${location.pathname}${location.search}${editsToHash(this.#edits())}`;
    try {
      await navigator.clipboard.writeText(link);
      this.#say(`A link with ${describe(this.#edits())} is in the clipboard.`);
    } catch {
      const field = element("input", { type: "text", value: link, readonly: true, "aria-label": "The link to copy" });
      this.#panel.replaceChildren(field);
      field.select();
    }
  }

  #setEditing(isEditing: boolean): void {
    this.#isEditing = isEditing;
    this.#show();
  }

  #show(): void {
    const edits = this.#edits();
    document.querySelector("#observablehq-main")?.classList.toggle("edits-cells", this.#isEditing);
    this.#toggle.setAttribute("aria-pressed", String(this.#isEditing));
    this.#toggle.textContent = this.#isEditing ? "Done editing" : "Edit the cells";
    for (const button of [this.#revert, this.#download, this.#share])
      button.hidden = isEmpty(edits) && !this.#isEditing;
    this.#revert.disabled = this.#share.disabled = isEmpty(edits);
    this.#say(
      isEmpty(edits)
        ? this.#isEditing
          ? "Ctrl-Enter or Cmd-Enter runs a cell."
          : ""
        : `${describe(edits)}, kept in this browser.`,
    );
  }

  #say(text: string): void {
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  /** What went wrong; it stays until something else is asked or told. */
  #tell(sentence: string): void {
    this.#panel.replaceChildren(element("p", { class: "cell-message", role: "alert" }, sentence));
  }

  #button(text: string, onclick: () => void): HTMLButtonElement {
    return element("button", { type: "button", onclick }, text);
  }
}

function cellId(block: HTMLElement): string {
  const mark = [...block.childNodes].find((node) => node.nodeType === Node.COMMENT_NODE) as Comment | undefined;
  return mark?.data.slice(1, -1) ?? "";
}

function describe({ edits, added }: PageEdits): string {
  const changed = Object.keys(edits).length;
  const parts = [changed > 0 && `${counted(changed, "cell")} changed`, added.length > 0 && `${added.length} added`];
  return parts.filter(Boolean).join(", ");
}
