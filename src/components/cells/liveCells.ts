import { html } from "htl";
import { saveFile } from "../../host/browser/saveFile.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { button, setText } from "../page/element.js";
import { counted } from "../page/format.js";
import { errorText } from "../page/help.js";
import type { CellList } from "./cellList.js";
import { pagePath } from "./importModule.js";
import { Notebook } from "./notebook.js";
import {
  editsFromHash,
  editsToHash,
  hasEdits,
  isEmpty,
  noEdits,
  type PageEdits,
  savedEdits,
  saveEdits,
} from "./pageEdits.js";

/** The part of a `FileAttachment` that is used. */
interface Source {
  text(): Promise<string>;
}

/**
 * Returns a bar that makes every cell of the page editable in place and summarizes the edits. Edits are saved in this
 * browser. Saved edits, and those in a link, are listed first and run only when the reader accepts them.
 * @param source the page's Markdown, read when it is first needed
 */
export function liveCells(source: Source): HTMLElement {
  const node = html`<section class="live-cells" aria-label="The cells of this page"></section>`;
  freezeUsedNodes();
  // The runtime finds this element only after it is displayed.
  queueMicrotask(async () => fillBar(node, source, await Notebook.open(node.closest(".observablehq--block")!)));
  return node;
}

const inFrame = "Edited cells do not run in a page inside a frame.";
const warning =
  "None of them has run. " +
  "They have the rights of this page, including access to your saved runs and edits, so read them first.";

/** Fills the bar, and asks about edits that wait for the reader's consent. */
function fillBar(node: HTMLElement, source: Source, notebook: Notebook): void {
  let finding: Promise<void> | undefined;
  /** The page's cells and the editor, once found. */
  let list: CellList | undefined;
  let editing: typeof import("./editing.js");
  let isEditing = false;
  /** Whether the tools of all cells are visible, rather than those of the cells that the page lists. */
  let isShowingAll = false;
  /** Saved edits that wait for the reader's consent. */
  let pendingEdits = savedEdits("cells");
  /** Edits of cells that the page no longer has, by id. */
  let unmatched: Record<string, string> = {};
  /** Whether the edits are in the browser's storage. */
  let isSaved = true;
  /** The hash of the link that brought the running edits. They last for this visit, and are saved only on request. */
  let linkedHash: string | undefined;

  const toggleButton = button("Edit the cells", () => void setEditing(!isEditing));
  const showAllButton = button("", () => keepPlace(() => showAll(!isShowingAll)));
  const runAllButton = button("Run all", () => list!.runAll());
  const revertButton = button("Revert all", revertAll);
  const downloadButton = button("Download the page", download);
  const openButton = button("Open a file", () => filePicker.click());
  const filePicker = html<HTMLInputElement>`<input type="file" accept=".md" onchange=${openFile}>`;
  const shareButton = button("Copy a link", () => void copyLink());
  const saveLinkedButton = button("Save edits", saveLinked);
  const question = html`<div></div>`;
  /** Shows one thing at a time: an error, an offer to restore edits, or a link. */
  const panel = html`<div class="live-cells-panel"></div>`;
  const status = html`<div class="live-cells-state" role="status"></div>`;
  const editButtons = [revertButton, downloadButton, openButton, shareButton];
  const buttons = [toggleButton, showAllButton, runAllButton, ...editButtons, saveLinkedButton];
  const codeSwitch = html`<label class="code-switch"><input type="checkbox" role="switch">Show code</label>`;
  node.append(html`<div class="live-cells-bar">${codeSwitch}${buttons}</div>`, question, panel, status);
  addEventListener("hashchange", () => void askPending());
  show();
  void askPending();

  /** Finds the page's cells, on first use: it parses the whole page, and most readers edit none. */
  async function find(): Promise<void> {
    const [markdown, module] = await Promise.all([source.text(), import("./editing.js")]);
    const found = new module.CellList(notebook, markdown, { node, saveEdits: save, saveDrafts, show });
    found.keepDrafts(drafts());
    editing = module;
    list = found;
  }

  async function findCells(): Promise<boolean> {
    try {
      finding ??= find();
      await finding;
      return true;
    } catch {
      finding = undefined;
      showError("The page's source or the editor did not load, so the cells cannot be edited.");
      return false;
    }
  }

  function edits(): PageEdits {
    return list?.edits() ?? noEdits;
  }

  function drafts(): PageEdits {
    return list?.drafts() ?? savedEdits("drafts");
  }

  /** Returns all edits, including those that are saved but not in the page. */
  function allEdits(): PageEdits {
    const { edits: edited, added } = edits();
    return {
      edits: { ...pendingEdits.edits, ...unmatched, ...edited },
      added: [...pendingEdits.added.filter(({ id }) => added.every((cell) => cell.id !== id)), ...added],
    };
  }

  /** Asks whether to run the edits in the address, or else the saved ones. */
  async function askPending(): Promise<void> {
    if (isEmpty(pendingEdits) && !hasEdits(location.hash)) return;
    if (!(await findCells())) return;
    const { hash } = location;
    // An open question stays, whatever becomes of the address.
    if (question.hasChildNodes() || (hash !== "" && hash === linkedHash)) return;
    try {
      const linked = editsFromHash(hash);
      // A site that embeds this page could hide the question.
      if (window !== window.top && (linked || !isEmpty(pendingEdits))) showError(inFrame);
      else if (linked) askAboutLinked(linked, hash);
      else if (!isEmpty(pendingEdits)) askAboutSaved(pendingEdits);
    } catch (error) {
      showError((error as Error).message);
      setHash("");
      await askPending();
    }
  }

  function askAboutLinked(linked: PageEdits, hash: string): void {
    const own = isEmpty(allEdits())
      ? ""
      : isSaved && linkedHash === undefined
        ? " Your own edits stay saved, but do not run."
        : " They would replace the edits that run now.";
    const accept = () => {
      setHash(hash);
      linkedHash = hash;
      pendingEdits = noEdits;
      saveLinkedButton.textContent = isEmpty(savedEdits("cells")) ? "Save edits" : "Replace my edits";
      replaceAll(linked);
    };
    const text = `This link contains cells: ${describe(linked)}. ${warning} They last until you leave the page.${own}`;
    ask(linked, text, accept, "Ignore cells", () => setHash(""));
  }

  function askAboutSaved(saved: PageEdits): void {
    const text = `This browser has saved edits of this page: ${describe(saved)}. None of them has run. If you ever ran code from a link, that code could have written them, so read them first.`;
    const accept = () => {
      pendingEdits = noEdits;
      run(saved);
    };
    const setPending = (edits: PageEdits) => {
      pendingEdits = edits;
      save();
    };
    const deleteEdits = () => {
      setPending(noEdits);
      offerRestore(() => {
        setPending(saved);
        void askPending();
      });
    };
    ask(saved, text, accept, "Delete edits", deleteEdits);
  }

  function askAboutFile(name: string, edits: PageEdits): void {
    if (window !== window.top) throw new Error(inFrame);
    if (isEmpty(edits)) throw new Error(`${name} contains the cells of this page without edits.`);
    const accept = () => {
      pendingEdits = noEdits;
      replaceAll(edits);
    };
    const text = `${name} contains cells: ${describe(edits)}. ${warning} They replace your edits.`;
    ask(edits, text, accept, "Ignore cells", () => {});
  }

  function ask(edits: PageEdits, text: string, accept: () => void, refuseLabel: string, refuse: () => void): void {
    const answer = (then: () => void) => () => {
      question.replaceChildren();
      then();
      void askPending();
      show();
    };
    const { cellQuestion } = editing;
    question.replaceChildren(cellQuestion(edits, list!.cells, text, answer(accept), refuseLabel, answer(refuse)));
    show();
  }

  /** Runs and saves edits. Those of cells that the page no longer has are skipped, but stay saved. */
  function run(edits: PageEdits): void {
    unmatched = list!.run(edits);
    panel.replaceChildren();
    const skipped = Object.keys(unmatched).length;
    if (skipped > 0) showError(`Skipped ${counted(skipped, "edit")} of cells that this page no longer has.`);
    save();
  }

  /** Replaces the edits of the page by others. */
  function replaceAll(edits: PageEdits, newDrafts = drafts()): void {
    list!.revertAll(edits);
    run(edits);
    list!.keepDrafts(newDrafts);
    saveDrafts();
  }

  function revertAll(): void {
    if (linkedHash !== undefined) {
      // Only leaving the page ends what its cells have started.
      setHash("");
      location.reload();
      return;
    }
    const [previousEdits, previousDrafts] = [allEdits(), drafts()];
    replaceAll(noEdits, noEdits);
    offerRestore(() => replaceAll(previousEdits, previousDrafts));
  }

  function offerRestore(restore: () => void): void {
    const restoreButton = button("Restore my edits", () => {
      panel.replaceChildren();
      restore();
    });
    panel.replaceChildren(restoreButton);
  }

  /** Saves the reader's edits. Those of a link are not saved and leave the saved ones alone. */
  function save(): void {
    isSaved = linkedHash !== undefined || tries(() => saveEdits("cells", allEdits()));
    saveDrafts();
  }

  function saveDrafts(): void {
    tries(() => saveEdits("drafts", drafts()));
    show();
  }

  /** Returns whether an action succeeds; shows its error otherwise. */
  function tries(act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      showError((error as Error).message);
      return false;
    }
  }

  function saveLinked(): void {
    linkedHash = undefined;
    setHash("");
    save();
  }

  /** Downloads the page with its edits. */
  function download(): void {
    const { markdown, ids } = list!;
    saveFile(`${pagePath().split("/").at(-1)}.md`, new Blob([editing.writePage(markdown, ids, edits())]));
  }

  /** Asks whether to run the cells of the picked file. */
  async function openFile(): Promise<void> {
    const [file] = filePicker.files!;
    try {
      askAboutFile(file.name, editing.editsOfFile(file.name, await file.text(), list!.markdown, list!.ids));
    } catch (error) {
      showError((error as Error).message);
    }
    // So that the same file can be picked again.
    filePicker.value = "";
  }

  async function copyLink(): Promise<void> {
    let link = location.origin + location.pathname + location.search;
    try {
      link += editsToHash(edits());
    } catch (error) {
      return showError((error as Error).message);
    }
    try {
      await navigator.clipboard.writeText(link);
      setText(status, `Copied a link with ${describe(edits())}.`);
    } catch {
      const field = html<HTMLInputElement>`<input type="text" value=${link} readonly aria-label="Link to copy">`;
      panel.replaceChildren(field);
      field.select();
    }
  }

  async function setEditing(edits: boolean): Promise<void> {
    if (!(await findCells())) return;
    keepPlace(() => {
      isEditing = edits;
      if (isEditing) list!.openDrafts();
      const listsNone = [...list!.cells.values()].every(({ echo }) => !echo);
      showAll(isEditing && listsNone);
    });
  }

  function showAll(all: boolean): void {
    isShowingAll = all;
    show();
  }

  /** Makes a change of the page and keeps the bar where it is in the window. */
  function keepPlace(change: () => void): void {
    const { top } = node.getBoundingClientRect();
    change();
    scrollBy({ top: node.getBoundingClientRect().top - top, behavior: "instant" });
  }

  /** Updates the bar. */
  function show(): void {
    const [shownEdits, shownDrafts] = [edits(), drafts()];
    const hasNone = isEmpty(shownEdits);
    const main = document.querySelector("#observablehq-main")!;
    main.classList.toggle("edits-cells", isEditing);
    main.classList.toggle("shows-all-cells", isShowingAll);
    toggleButton.setAttribute("aria-pressed", String(isEditing));
    toggleButton.textContent = isEditing ? "Done editing" : "Edit the cells";
    showAllButton.textContent = isShowingAll ? "Show the listed cells only" : `Show all ${list?.cells.size ?? 0} cells`;
    showAllButton.hidden = runAllButton.hidden = !isEditing;
    for (const button of editButtons) button.hidden = hasNone && !isEditing;
    saveLinkedButton.hidden = linkedHash === undefined;
    shareButton.disabled = saveLinkedButton.disabled = hasNone;
    revertButton.disabled = (hasNone && isEmpty(shownDrafts)) || question.hasChildNodes();
    const where = linkedHash ? "for this visit" : `${isSaved ? "" : "not "}saved in this browser`;
    const drafted = counted(Object.keys(shownDrafts.edits).length + shownDrafts.added.length, "draft");
    const sentences = [
      !hasNone && `${describe(shownEdits)}, ${where}.`,
      !isEmpty(shownDrafts) && `${drafted}, kept in this browser, not run.`,
    ];
    setText(status, sentences.filter(Boolean).join(" "));
  }

  /** Shows an error until the panel is next replaced. */
  function showError(sentence: string): void {
    panel.replaceChildren(html`<p class="cell-message" role="alert">${errorText(sentence, "A cell fails")}</p>`);
  }

  function setHash(hash: string): void {
    history.replaceState(null, "", location.pathname + location.search + hash);
  }
}

function describe({ edits, added }: PageEdits): string {
  const changed = Object.keys(edits).length;
  const parts = [changed > 0 && `${counted(changed, "cell")} changed`, added.length > 0 && `${added.length} added`];
  return parts.filter(Boolean).join(", ");
}
