import { html } from "htl";
import { saveFile } from "../../host/browser/saveFile.js";
import { stripTypes } from "../../host/browser/stripTypes.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { button, setText } from "../page/element.js";
import { counted } from "../page/format.js";
import { showError } from "../page/help.js";
import { followReader } from "../page/reader.js";
import type { Run } from "../training/run.js";
import { pagePath } from "./importModule.js";
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
import { commandOf, shortcutsPanel } from "./shortcuts.js";

/**
 * Returns a bar that makes every cell of the page editable in place and summarizes the edits. Edits are saved in this
 * browser. Saved edits, and those in a link, are listed first and run only when the reader accepts them.
 * @param source the page's Markdown, read when it is first needed
 */
export function liveCells(source: Source): HTMLElement {
  const node = html`<section class="live-cells" aria-label="The cells of this page"></section>`;
  freezeUsedNodes();
  // The runtime finds this element only after it is displayed.
  queueMicrotask(() => void new LiveCells(node, source).open());
  return node;
}

/** The part of a `FileAttachment` that is used. */
interface Source {
  text(): Promise<string>;
}

/** A change of the list of cells: the reader's cells and edits before and after. Other edits run in between. */
interface ListChange {
  before: PageEdits;
  after: PageEdits;
}

/** A button's label and action. */
type Answer = [label: string, then: () => void];

const inFrame = "Edited cells do not run in a page inside a frame.";

/** Selects Framework's blocks of cells, and the blocks of prose. */
const blocks = `#observablehq-main :is(.observablehq--block, .${proseClass})`;

class LiveCells {
  readonly #bar: HTMLElement;
  readonly #source: Source;
  #markdown = "";
  #finding: Promise<void> | undefined;
  /** The editor and the parsers, once loaded. */
  #editing: typeof import("./editing.js") | undefined;
  readonly #savedEdits = new SavedEdits(location.pathname.replace(/(index)?\.html$/, ""));
  /** Texts that were typed and have not run. They appear in editors only. */
  readonly #savedDrafts = new SavedEdits(location.pathname.replace(/(index)?\.html$/, ""), "drafts");
  readonly #cells = new Map<string, LiveCell>();
  /** The ids of the page's own cells, in order. */
  #ids: string[] = [];
  #notebook: Notebook | undefined;
  readonly #state = html`<span class="live-cells-state" role="status"></span>`;
  readonly #toggle = button("Edit the cells", () => void this.#setEditing(!this.#isEditing));
  readonly #runAllButton = button("Run all", () => this.#runAll([...this.#cells.values()]));
  readonly #showAllButton = button("", () => this.#keepPlace(() => this.#setShowingAll(!this.#isShowingAll)));
  readonly #revert = button("Revert all", () => this.#revertAll());
  readonly #download = button("Download the page", () => this.#offerFormats());
  readonly #open = button("Open a file", () => this.#file.click());
  readonly #file =
    html<HTMLInputElement>`<input type="file" accept=".md,.html,.ipynb" onchange=${() => this.#openFile()}>`;
  readonly #share = button("Copy a link", () => void this.#copyLink());
  readonly #saveLinked = button("Save edits", () => this.#saveLinkedEdits());
  readonly #question = html`<div></div>`;
  readonly #panel = html`<div class="live-cells-panel"></div>`;
  #isEditing = false;
  /** Whether the tools of all cells are visible, rather than those of the cells that the page lists. */
  #isShowingAll = false;
  #wrapsLines = false;
  /** Saved edits that wait for the reader's consent. */
  #pendingEdits: PageEdits = noEdits;
  /** Drafts of an earlier visit, until the cells have them. */
  #keptDrafts: PageEdits = noEdits;
  /** Edits of cells that the page no longer has, by id. */
  #unmatched: Record<string, string> = {};
  /** The changes of the list of cells that can be undone and redone, the next one last. */
  #done: ListChange[] = [];
  #undone: ListChange[] = [];
  /** What deleted cells contained, and the buttons that restore them, by id. */
  readonly #deleted = new Map<string, { source: string; draft: string | undefined; button?: HTMLElement }>();
  /** Whether the edits are in the browser's storage. */
  #isSaved = true;
  /** The hash of the link that brought the running edits. They last for this visit, and are saved only on request. */
  #linkedHash: string | undefined;

  constructor(bar: HTMLElement, source: Source) {
    this.#bar = bar;
    this.#source = source;
  }

  async open(): Promise<void> {
    this.#notebook = await Notebook.open(this.#bar.closest(blocks)!);
    const tools = [
      this.#toggle,
      this.#showAllButton,
      this.#runAllButton,
      this.#revert,
      this.#download,
      this.#open,
      this.#share,
      this.#saveLinked,
    ];
    this.#bar.append(
      html`<div class="live-cells-bar">${tools}</div>`,
      this.#question,
      this.#panel,
      html`<div class="cell-help">${[namesPanel(this.#notebook), shortcutsPanel(), this.#state]}</div>`,
    );
    this.#pendingEdits = this.#savedEdits.read();
    this.#keptDrafts = this.#savedDrafts.read();
    addEventListener("hashchange", () => void this.#askPending());
    followReader({ key: (event) => this.#obey(event) });
    this.#show();
    await this.#askPending();
  }

  /** Finds the page's cells, on first use: it parses the whole page, and most readers edit none. */
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
      this.#keepDrafts(this.#keptDrafts);
    });
    return this.#finding;
  }

  /** Puts drafts into the editors of their cells, or into new cells. None runs. */
  #keepDrafts({ edits, added }: PageEdits): void {
    this.#keptDrafts = noEdits;
    const homeless = Object.entries(edits).filter(([id]) => !this.#cells.has(id));
    const anchored = this.#withAnchors({
      edits,
      added: [
        ...added,
        ...homeless.map(([id, source]): AddedCell => {
          const language = id.startsWith("md-") ? "md" : "js";
          return { id: `${addedIdPrefix}${id}`, after: "", language, source };
        }),
      ],
    });
    for (const [id, draft] of Object.entries(edits)) this.#cells.get(id)?.keepDraft(draft);
    for (const cell of anchored.added)
      (this.#cells.get(cell.id) ?? this.#create({ ...cell, source: "" })).keepDraft(cell.source);
  }

  #drafts(): PageEdits {
    const drafted = [...this.#cells.values()].filter(
      ({ original, draft }) => original !== undefined && draft !== undefined,
    );
    return {
      edits: { ...this.#keptDrafts.edits, ...Object.fromEntries(drafted.map(({ id, draft }) => [id, draft!])) },
      added: [
        ...this.#keptDrafts.added,
        ...this.#added().flatMap((cell) => (cell.draft === undefined ? [] : this.#asAdded(cell, cell.draft))),
      ],
    };
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

  /** Asks whether to run the edits in the address, or else the saved ones. */
  async #askPending(): Promise<void> {
    if (isEmpty(this.#pendingEdits) && !hasEdits(location.hash)) return;
    if (!(await this.#loadCells())) return;
    const { hash } = location;
    // An open question stays, whatever becomes of the address.
    if (this.#question.hasChildNodes() || (hash !== "" && hash === this.#linkedHash)) return;
    try {
      const linked = editsFromHash(hash);
      // A site that embeds this page could hide the question.
      if (window !== window.top && (linked || !isEmpty(this.#pendingEdits))) {
        this.#showError(inFrame);
      } else if (linked) this.#askAboutLinked(linked, hash);
      else if (!isEmpty(this.#pendingEdits)) this.#askAboutSaved(this.#pendingEdits);
    } catch (error) {
      this.#showError((error as Error).message);
      this.#setHash("");
      await this.#askPending();
    }
  }

  #askAboutLinked(linked: PageEdits, hash: string): void {
    const own = isEmpty(this.#allEdits())
      ? ""
      : this.#isSaved && this.#linkedHash === undefined
        ? " Your own edits stay saved, but do not run."
        : " They would replace the edits that run now.";
    const text = `This link contains cells: ${describe(linked)}. None of them has run. They have the rights of this page, including access to your saved runs and edits, so read them first. They last until you leave the page.${own}`;
    const accept = () => {
      this.#setHash(hash);
      this.#linkedHash = hash;
      this.#pendingEdits = noEdits;
      this.#saveLinked.textContent = isEmpty(this.#savedEdits.read()) ? "Save edits" : "Replace my edits";
      this.#replaceAll(linked);
    };
    this.#showQuestion(linked, text, ["Run cells", accept], ["Ignore cells", () => this.#setHash("")]);
  }

  #askAboutSaved(saved: PageEdits): void {
    const text = `This browser has saved edits of this page: ${describe(saved)}. None of them has run. If you ever ran code from a link, that code could have written them, so read them first.`;
    const accept = () => {
      this.#pendingEdits = noEdits;
      this.#run(saved);
      this.#saveEdits();
    };
    const deleteEdits = () => {
      this.#pendingEdits = noEdits;
      this.#saveEdits();
      this.#offerRestore(() => {
        this.#pendingEdits = saved;
        this.#saveEdits();
        void this.#askPending();
      });
    };
    this.#showQuestion(saved, text, ["Run cells", accept], ["Delete edits", deleteEdits]);
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

  /** Returns edits where cells added below one that the page no longer has move to the end of the page. */
  #withAnchors({ edits, added }: PageEdits): PageEdits {
    const anchored = added.map((cell) =>
      this.#ids.includes(cell.after) ? cell : { ...cell, after: this.#ids.at(-1)! },
    );
    return { edits, added: anchored };
  }

  #offerRestore(restore: () => void): void {
    const restoreButton = button("Restore my edits", () => {
      this.#panel.replaceChildren();
      restore();
    });
    this.#panel.replaceChildren(restoreButton);
  }

  #replaceAll(edits: PageEdits, drafts = this.#drafts()): void {
    for (const cell of [...this.#cells.values()]) {
      if (cell.original === undefined) this.#removeCell(cell);
      else if (!(cell.id in edits.edits)) void cell.revert();
    }
    this.#run(this.#withAnchors(edits));
    this.#keepDrafts(drafts);
    this.#saveEdits();
  }

  /** Runs edits. Those of cells that the page no longer has are skipped, but stay saved. */
  #run({ edits, added }: PageEdits): void {
    this.#done = [];
    this.#undone = [];
    const isOnPage = ([id]: [string, string]) => this.#cells.has(id);
    const unmatched = Object.entries(edits).filter((edit) => !isOnPage(edit));
    this.#unmatched = Object.fromEntries(unmatched);
    this.#panel.replaceChildren();
    if (unmatched.length > 0) {
      this.#showError(`Skipped ${counted(unmatched.length, "edit")} of cells that this page no longer has.`);
    }
    for (const cell of added) if (!this.#cells.has(cell.id)) this.#create(cell);
    for (const [id, source] of Object.entries(edits).filter(isOnPage)) void this.#cells.get(id)!.run(source);
    for (const { id, source } of added) void this.#cells.get(id)!.run(source);
  }

  #host() {
    return {
      notebook: this.#notebook!,
      wrapsLines: () => this.#wrapsLines,
      wrapLines: (wraps: boolean) => {
        this.#wrapsLines = wraps;
        for (const cell of this.#cells.values()) cell.wrapsLines = wraps;
      },
      changed: () => this.#saveEdits(),
      drafted: () => this.#saveDrafts(),
      ran: (cell: LiveCell) => {
        // Other cells may have failed for lack of its names.
        for (const other of this.#cells.values()) {
          if (other !== cell && /is not defined/.test(other.error?.message ?? "")) void other.run(other.source);
        }
        this.#show();
      },
      renamed: (cell: LiveCell, from: string, to: string) => void this.#offerRename(cell, from, to),
      insert: (
        position: "above" | "below",
        next: LiveCell,
        language: CellLanguage,
        { source, draft }: { source?: string; draft?: string } = {},
      ) => {
        if (position === "above" && next.id === this.#ids[0]) return;
        this.#alter(() => {
          const id = `${addedIdPrefix}${Date.now().toString(36)}`;
          const cell = this.#create({ id, after: "", language, source: "" }, (block) =>
            this.#place(block, position, next),
          );
          if (source !== undefined) void cell.run(source);
          cell.edit();
          if (draft !== undefined) cell.keepDraft(draft);
        });
      },
      move: (cell: LiveCell, by: 1 | -1) => {
        const cells = this.#shownCells();
        const next = cells[cells.indexOf(cell) + by];
        if (cell.original !== undefined || !next || (by < 0 && next.id === this.#ids[0])) return;
        this.#alter(() => {
          this.#place(cell.block, by < 0 ? "above" : "below", next);
          cell.moved();
        });
      },
      go: (from: LiveCell, by: 1 | -1, types = false) => {
        const cells = this.#shownCells();
        const cell = cells[cells.indexOf(from) + by];
        if (cell && types && cell.isOpen) cell.edit();
        else if (cell) cell.node.focus();
        else if (types) this.#host().insert("below", from, "js");
      },
      save: () => this.#saveEdits(),
      runBelow: (from: LiveCell) => {
        const cells = this.#ordered();
        this.#runAll(cells.slice(cells.indexOf(from)));
      },
      remove: (cell: LiveCell) => {
        const { id, language } = cell;
        const own = cell.original !== undefined && cell;
        const restoreButton = button("Restore cell", () =>
          this.#alter(() => {
            const place = (block: HTMLElement) => restoreButton.after(block);
            this.#restore(own || this.#create({ id, after: cell.block.dataset.after!, language, source: "" }, place));
          }),
        );
        cell.node.before(restoreButton);
        this.#alter(() => this.#delete(cell, restoreButton));
        restoreButton.focus();
      },
      undo: () => this.#undo(),
      redo: () => this.#undo(true),
    };
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
    this.#saveEdits();
  }

  /** Undoes the last change of the list of cells, or redoes the last one that was undone. */
  #undo(isRedo = false): void {
    const [from, to] = isRedo ? [this.#undone, this.#done] : [this.#done, this.#undone];
    const change = from.pop();
    if (!change) return;
    to.push(change);
    const { before, after } = change;
    if (isRedo) this.#replaceList(before, after);
    else this.#replaceList(after, before);
    this.#saveEdits();
  }

  /** Undoes and redoes with the focus outside cells. */
  #obey(event: KeyboardEvent): void {
    // Browsers that fill in forms send events without a key.
    const command = event.key ? commandOf(event, "button") : undefined;
    const isTyping = (event.target as Element).closest("input, textarea, select, .cm-editor");
    if (!this.#isEditing || isTyping || event.defaultPrevented || (command !== "undo" && command !== "redo")) return;
    event.preventDefault();
    this.#undo(command === "redo");
  }

  /** Returns the reader's cells, those that have not run included, and the edits of the page's own. */
  #list(): PageEdits {
    return { edits: this.#edits().edits, added: this.#added().map((cell) => this.#asAdded(cell, cell.source)) };
  }

  /** Changes the cells that differ between two lists. */
  #replaceList(now: PageEdits, then: PageEdits): void {
    const find = ({ added }: PageEdits, id: string) => added.find((cell) => cell.id === id);
    let changed: LiveCell | undefined;
    for (const { id } of now.added.filter(({ id }) => !find(then, id))) {
      const shown = this.#shownCells();
      const cell = this.#cells.get(id)!;
      changed = shown[shown.indexOf(cell) - 1];
      this.#delete(cell);
    }
    const ends = new Map<string, Element>();
    for (const { id, after, language, source } of then.added) {
      const end = ends.get(after) ?? this.#cells.get(after)?.end ?? this.#blockOf(after);
      const before = find(now, id);
      const cell =
        this.#cells.get(id) ?? this.#create({ id, after, language, source: "" }, (block) => end.after(block));
      if (!before) {
        this.#restore(cell);
        changed = cell;
      } else if (end.nextElementSibling !== cell.node) {
        cell.block.dataset.after = after;
        end.after(cell.block);
        cell.moved();
      }
      if (before && before.source !== source) void cell.run(source);
      ends.set(after, cell.end);
    }
    for (const id of new Set([now, then].flatMap(({ edits }) => Object.keys(edits)))) {
      const cell = this.#cells.get(id)!;
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
    this.#deleted.set(id, { source, draft, ...(button && { button }) });
    if (cell.original !== undefined) cell.empty();
    else this.#removeCell(cell);
  }

  /** Gives a deleted cell what it contained. */
  #restore(cell: LiveCell): void {
    const { source, draft, button } = this.#deleted.get(cell.id)!;
    this.#deleted.delete(cell.id);
    if (source) void cell.run(source);
    if (draft !== undefined) cell.keepDraft(draft);
    button?.remove();
    cell.node.focus();
  }

  /** Offers to rename a variable in the cells that use it. */
  async #offerRename(cell: LiveCell, from: string, to: string): Promise<void> {
    const { placesOf, renameAt } = await import("./places.js");
    const found = [...this.#cells.values()].map(async (other) => {
      const places = await placesOf(other.source, other.language, stripTypes);
      return { other, renamed: renameAt(other.source, places, from, to) };
    });
    const uses = (await Promise.all(found)).filter(({ other, renamed }) => other !== cell && renamed !== other.source);
    if (uses.length === 0 || this.#notebook!.values().has(from)) return;
    const sentence = `${counted(uses.length, "other cell")} of this page ${uses.length === 1 ? "uses" : "use"} ${from}.`;
    cell.offer(sentence, `Rename it to ${to} there`, () => {
      this.#alter(() => {
        for (const { other, renamed } of uses) void other.run(renamed);
      });
    });
  }

  /** Runs cells again: the text of open editors, and otherwise the sources in use. */
  #runAll(cells: LiveCell[]): void {
    const unchanged = cells.filter((cell) => !cell.runAgain());
    this.#notebook!.rerun(
      unchanged.map(({ runtime }) => runtime),
      this.#bar.closest(blocks)!,
    );
  }

  /** Puts the block of an added cell next to a cell. */
  #place(block: HTMLElement, position: "above" | "below", next: LiveCell): void {
    const isOwn = next.original !== undefined;
    const after = position === "below" || !isOwn ? next.id : this.#ids[Math.max(0, this.#ids.indexOf(next.id) - 1)];
    block.dataset.after = "";
    const end = isOwn && position === "above" ? this.#endOf(after) : next.end;
    block.dataset.after = isOwn ? after : this.#anchorOf(next);
    if (position === "above" && !isOwn) next.node.before(block);
    else end.after(block);
  }

  /** Inserts a cell that the reader added. */
  #create(
    { id, after, language, source }: AddedCell,
    place = (block: HTMLElement) => this.#endOf(after).after(block),
  ): LiveCell {
    const block = html<HTMLElement>`<div class="observablehq observablehq--block added-cell" data-after=${after}></div>`;
    block.append(document.createComment(`:${id}:`));
    place(block);
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

  /** Returns the last element of a page's cell, including the cells that the reader added below it. */
  #endOf(after: string): Element {
    const added = this.#added().filter((cell) => this.#anchorOf(cell) === after);
    return (added.at(-1) ?? this.#cells.get(after))?.end ?? this.#blockOf(after);
  }

  #blockOf(id: string): HTMLElement {
    return [...document.querySelectorAll<HTMLElement>(blocks)].find((b) => cellId(b) === id)!;
  }

  /** Returns the cells with visible tools, in the order of the page. */
  #shownCells(): LiveCell[] {
    return this.#ordered().filter(({ node }) => node.checkVisibility());
  }

  /** Returns the cells that the reader added, in the order of the page. */
  #added(): LiveCell[] {
    return this.#ordered().filter(({ original }) => original === undefined);
  }

  /** Returns all cells in the order of the page. */
  #ordered(): LiveCell[] {
    const order = (a: LiveCell, b: LiveCell) =>
      a.block.compareDocumentPosition(b.block) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.#cells.values()].sort(order);
  }

  #edits(): PageEdits {
    const edited = [...this.#cells.values()].filter((cell) => cell.original !== undefined && cell.isEdited);
    return {
      edits: Object.fromEntries(edited.map(({ id, source }) => [id, source])),
      // A new cell is an edit once it has run.
      added: this.#added().flatMap((cell) => (cell.source ? this.#asAdded(cell, cell.source) : [])),
    };
  }

  #asAdded({ id, language, block }: LiveCell, source: string): AddedCell {
    return { id, after: block.dataset.after!, language, source };
  }

  /** Returns all edits, including those that are saved but not in the page. */
  #allEdits(): PageEdits {
    const { edits, added } = this.#edits();
    return {
      edits: { ...this.#pendingEdits.edits, ...this.#unmatched, ...edits },
      added: [...this.#pendingEdits.added.filter(({ id }) => added.every((cell) => cell.id !== id)), ...added],
    };
  }

  /** Saves the reader's edits. Those of a link are not saved and leave the saved ones alone. */
  #saveEdits(): void {
    try {
      if (this.#linkedHash === undefined) this.#savedEdits.write(this.#allEdits());
      this.#isSaved = true;
    } catch (error) {
      this.#isSaved = false;
      this.#showError((error as Error).message);
    }
    this.#saveDrafts();
  }

  #saveDrafts(): void {
    try {
      this.#savedDrafts.write(this.#drafts());
    } catch (error) {
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
      // Only leaving the page ends what its cells have started.
      this.#setHash("");
      location.reload();
      return;
    }
    const previousEdits = this.#allEdits();
    const previousDrafts = this.#drafts();
    this.#replaceAll(noEdits, noEdits);
    this.#offerRestore(() => this.#replaceAll(previousEdits, previousDrafts));
  }

  /** Lists the formats of the page, each as a button that downloads it. */
  #offerFormats(): void {
    const { editedCells, imageFile, pageProject, writeJupyter, writeNotebookKit, writePage } = this.#editing!;
    const markdown = () => writePage(this.#markdown, this.#ids, this.#edits());
    const page = () => ({
      title: document.title.replace(/ \| splatbook$/, ""),
      cells: editedCells(this.#markdown, this.#ids, this.#edits()),
    });
    const kit = () => writeNotebookKit(page(), this.#ids);
    const jupyter = () => {
      const { config, target } = (this.#notebook!.values().get("run") ?? {}) as Partial<Run>;
      return writeJupyter(page(), config && target && { config, target, file: imageFile(target) });
    };
    const formats: [label: string, extension: string, write: () => Blob | string | Promise<Blob>][] = [
      ["Project", "zip", () => pageProject(pagePath(), markdown(), kit(), jupyter())],
      ["Markdown", "md", markdown],
      ["Notebook Kit", "html", kit],
      ["Jupyter notebook for Deno", "ipynb", jupyter],
    ];
    const name = pagePath().split("/").at(-1);
    const buttons = formats.map(([label, extension, write]) =>
      button(`${label} (.${extension})`, async () => {
        try {
          saveFile(`${name}.${extension}`, new Blob([await write()]));
        } catch {
          this.#showError("The files of the project did not load.");
        }
      }),
    );
    const documentation = new URL(
      "docs/#other-notebooks",
      document.querySelector<HTMLAnchorElement>('a[rel="help"]')!.href,
    );
    this.#panel.replaceChildren(
      html`<div class="live-cells-bar">${buttons}</div>`,
      html`<p class="live-cells-state">The project works in Observable Framework, Observable Notebook Kit and Jupyter. The
      other files are parts of it. <a href=${documentation.href}>Commands</a></p>`,
    );
  }

  /** Asks whether to run the cells of the picked file. */
  async #openFile(): Promise<void> {
    const [file] = this.#file.files!;
    try {
      const text = await file.text();
      this.#askAboutFile(file.name, this.#editing!.editsOfFile(file.name, text, this.#markdown, this.#ids));
    } catch (error) {
      this.#showError((error as Error).message);
    }
    // So that the same file can be picked again.
    this.#file.value = "";
  }

  #askAboutFile(name: string, edits: PageEdits): void {
    if (window !== window.top) throw new Error(inFrame);
    if (isEmpty(edits)) throw new Error(`${name} contains the cells of this page without edits.`);
    const text = `${name} contains cells: ${describe(edits)}. None of them has run. They have the rights of this page, including access to your saved runs and edits, so read them first. They replace your edits.`;
    const accept = () => {
      this.#pendingEdits = noEdits;
      this.#replaceAll(edits);
    };
    this.#showQuestion(edits, text, ["Run cells", accept], ["Ignore cells", () => {}]);
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
      setText(this.#state, `Copied a link with ${describe(this.#edits())}.`);
    } catch {
      const field = html<HTMLInputElement>`<input type="text" value=${link} readonly aria-label="Link to copy">`;
      this.#panel.replaceChildren(field);
      field.select();
    }
  }

  async #setEditing(isEditing: boolean): Promise<void> {
    if (!(await this.#loadCells())) return;
    this.#keepPlace(() => {
      this.#isEditing = isEditing;
      if (isEditing) {
        for (const cell of this.#cells.values()) {
          cell.show();
          if (cell.draft !== undefined) cell.open();
        }
      }
      const listsNone = [...this.#cells.values()].every(({ echo }) => !echo);
      this.#setShowingAll(isEditing && listsNone);
    });
  }

  #setShowingAll(isShowingAll: boolean): void {
    this.#isShowingAll = isShowingAll;
    this.#show();
  }

  /** Makes a change of the page and keeps the bar where it is in the window. */
  #keepPlace(change: () => void): void {
    const { top } = this.#bar.getBoundingClientRect();
    change();
    scrollBy({ top: this.#bar.getBoundingClientRect().top - top, behavior: "instant" });
  }

  #show(): void {
    const edits = this.#edits();
    const main = document.querySelector("#observablehq-main")!;
    main.classList.toggle("edits-cells", this.#isEditing);
    main.classList.toggle("shows-all-cells", this.#isShowingAll);
    this.#showAllButton.textContent = this.#isShowingAll
      ? "Show the listed cells only"
      : `Show all ${this.#cells.size} cells`;
    this.#toggle.setAttribute("aria-pressed", String(this.#isEditing));
    this.#toggle.textContent = this.#isEditing ? "Done editing" : "Edit the cells";
    this.#showAllButton.hidden = this.#runAllButton.hidden = !this.#isEditing;
    for (const button of [this.#revert, this.#download, this.#open, this.#share])
      button.hidden = isEmpty(edits) && !this.#isEditing;
    this.#saveLinked.hidden = this.#linkedHash === undefined;
    this.#share.disabled = this.#saveLinked.disabled = isEmpty(edits);
    const drafts = this.#drafts();
    this.#revert.disabled = (isEmpty(edits) && isEmpty(drafts)) || this.#question.hasChildNodes();
    const where = this.#linkedHash ? "for this visit" : `${this.#isSaved ? "" : "not "}saved in this browser`;
    const drafted = counted(Object.keys(drafts.edits).length + drafts.added.length, "draft");
    const sentences = [
      !isEmpty(edits) && `${describe(edits)}, ${where}.`,
      !isEmpty(drafts) && `${drafted}, kept in this browser, not run.`,
    ];
    setText(this.#state, sentences.filter(Boolean).join(" "));
  }

  /** Shows an error until the panel is next replaced. */
  #showError(sentence: string): void {
    const message = html`<p class="cell-message" role="alert"></p>`;
    showError(message, sentence, "A cell fails");
    this.#panel.replaceChildren(message);
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
