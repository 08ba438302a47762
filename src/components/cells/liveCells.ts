import { html } from "htl";
import { saveFile } from "../../host/browser/saveFile.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { button } from "../page/element.js";
import { counted } from "../page/format.js";
import { errorText } from "../page/help.js";
import type { CellList } from "./cellList.js";
import { editsFromHash, editsToHash, isEmpty, noEdits, type PageEdits, savedEdits, saveEdits } from "./pageEdits.js";
import { writePage } from "./pageFile.js";
import { type CellPlace, placesIn } from "./places.js";

/** The part of a `FileAttachment` that is used. */
interface Source {
  text(): Promise<string>;
}

/**
 * Returns a switch that shows the code of all cells of a page. Each can be edited and run in place. Edits are saved in this
 * browser. Saved ones, and those in a link, are listed first and run only when the reader accepts them.
 * @param source the page's Markdown, for a download
 */
export function liveCells(source: Source): HTMLElement {
  const foot = html`<section class="cells-foot" aria-label="The cells of this page"></section>`;
  const toggle = html`<label class="code-switch"><input type="checkbox" role="switch">Show code</label>`;
  freezeUsedNodes();
  // The page and its runtime find this element only after it is displayed.
  queueMicrotask(() => startEditing(toggle.closest(".observablehq--block")!, foot, source));
  return html`<div class="live-cells">${toggle}${foot}</div>`;
}

function startEditing(block: Element, foot: HTMLElement, source: Source): void {
  const main = document.querySelector("#observablehq-main")!;
  const places = new Map<string, CellPlace>();
  let loading: Promise<CellList> | undefined;
  let list: CellList | undefined;
  /** Saved edits that have not run, as the reader has not accepted them yet. */
  let pending = savedEdits();
  /** The edits that were last reverted or deleted. */
  let reverted = noEdits;
  /** The hash of the link that brought the edits. They last for this visit, and the reader's own stay saved. */
  let linkedHash: string | undefined;
  const question = html`<div></div>`;
  const summary = html`<div class="cell-row" role="status"></div>`;
  const message = html`<div></div>`;
  foot.append(question, summary, message);
  findPlaces();
  block.querySelector("input")!.addEventListener("change", listAll);
  addEventListener("hashchange", () => void ask());
  void ask();

  /** Finds the cells that are listed, and offers to edit them. */
  function findPlaces(): void {
    for (const [id, place] of placesIn(main)) {
      if (places.has(id)) continue;
      places.set(id, place);
      const edit = async () => (await load())?.at(place).open();
      place.listing!.append(html`<button type="button" class="quiet cell-edit" onclick=${edit}>Edit</button>`);
    }
  }

  /** Lists the cells that the page does not list at first. */
  function listAll(): void {
    for (const template of main.querySelectorAll<HTMLTemplateElement>("template.hidden-code")) {
      template.replaceWith(html`<div class="hidden-code">${template.content}</div>`);
    }
    findPlaces();
  }

  /** Loads the editor and the parser, which most readers never need. */
  async function load(): Promise<CellList | undefined> {
    loading ??= import("./editing.js").then(async ({ CellList, Notebook }) => {
      list = new CellList(await Notebook.open(block), places, changed);
      return list;
    });
    try {
      return await loading;
    } catch {
      loading = undefined;
      say("The editor did not load, so the cells cannot be edited.");
      return undefined;
    }
  }

  function edits(): PageEdits {
    return list?.edits() ?? noEdits;
  }

  /** Asks whether to run the edits in the address, or else the saved ones. */
  async function ask(): Promise<void> {
    const { hash } = location;
    // An open question stays, whatever becomes of the address.
    if (question.hasChildNodes() || (linkedHash !== undefined && hash === linkedHash)) return;
    let linked: PageEdits | undefined;
    try {
      linked = editsFromHash(hash);
    } catch (error) {
      say((error as Error).message);
      setHash("");
    }
    if (!linked && (isEmpty(pending) || linkedHash !== undefined)) return;
    // A site that embeds this page could hide the question.
    if (window !== window.top) return say("Edited cells do not run in a page inside a frame.");
    if (!(await load())) return;
    listAll();
    const found = linked ?? pending;
    const own = isEmpty(pending) && isEmpty(edits()) ? "" : " Your own edits stay saved, but do not run.";
    const text = linked
      ? `This link contains cells: ${describe(found)}. ${warning} They last until you leave the page.${own}`
      : `This browser has saved edits of this page: ${describe(found)}. ${warning}`;
    const answer = (isAccepted: boolean) => {
      question.replaceChildren();
      if (linked) setHash(isAccepted ? hash : "");
      if (isAccepted) accept(found, linked && hash);
      else if (!linked) remove();
      void ask();
    };
    const module = await import("./editing.js");
    question.replaceChildren(module.question(found, places, text, linked ? "Ignore cells" : "Delete edits", answer));
  }

  /** Runs edits; those of a link replace what runs now. */
  function accept(found: PageEdits, hash: string | undefined): void {
    linkedHash = hash;
    if (hash === undefined) pending = noEdits;
    else list!.revertAll();
    list!.run(found);
    changed();
  }

  /** Removes all edits, and offers to restore them. */
  function remove(): void {
    if (linkedHash !== undefined) {
      // Only leaving the page ends what its cells have started.
      setHash("");
      location.reload();
      return;
    }
    reverted = allEdits();
    pending = noEdits;
    list!.revertAll();
    changed();
  }

  /** Returns all edits, including those that are saved but not in the page. */
  function allEdits(): PageEdits {
    const { edits: edited, added } = edits();
    return { edits: { ...pending.edits, ...edited }, added: [...pending.added, ...added] };
  }

  /** Saves the reader's edits and shows their number. */
  function changed(): void {
    let where = "for this visit";
    try {
      if (linkedHash === undefined) {
        saveEdits(allEdits());
        where = "saved in this browser";
      }
    } catch (error) {
      where = "not saved in this browser";
      say((error as Error).message);
    }
    const restore = button("Restore my edits", () => {
      pending = reverted;
      reverted = noEdits;
      changed();
      void ask();
    });
    const shown = edits();
    if (!isEmpty(shown)) {
      const actions = [
        button("Revert all", remove),
        button("Copy a link", copyLink),
        button("Download the page", download),
      ];
      summary.replaceChildren(`${describe(shown)}, ${where}.`, ...actions);
    } else summary.replaceChildren(...(isEmpty(reverted) ? [] : [restore]));
  }

  async function copyLink(): Promise<void> {
    try {
      const link = location.origin + location.pathname + location.search + editsToHash(edits());
      await navigator.clipboard.writeText(link);
      say(`Copied a link with ${describe(edits())}.`);
    } catch (error) {
      say(`The link was not copied: ${(error as Error).message}`);
    }
  }

  async function download(): Promise<void> {
    const originals = new Map([...places].map(([id, { original }]) => [id, original!]));
    const page = writePage(await source.text(), originals, edits());
    const name =
      location.pathname
        .split("/")
        .at(-1)!
        .replace(/(\.html)?$/, "") || "index";
    saveFile(`${name}.md`, new Blob([page]));
  }

  function say(sentence: string): void {
    const close = button("Close", () => message.replaceChildren());
    message.replaceChildren(
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

function describe({ edits, added }: PageEdits): string {
  const changed = Object.keys(edits).length;
  const parts = [changed > 0 && `${counted(changed, "cell")} changed`, added.length > 0 && `${added.length} added`];
  return parts.filter(Boolean).join(", ");
}
