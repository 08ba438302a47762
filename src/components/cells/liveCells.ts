import { html } from "htl";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import type { PageCells } from "./pageCells.js";
import { linkKey, savedEdits, sizeOf } from "./pageEdits.js";

/**
 * Returns a switch that shows the code of all cells of a page. Each can be edited and run in place. Edits are saved in this
 * browser. Saved ones, and those in a link, are listed first and run only when the reader accepts them.
 */
export function liveCells(): HTMLElement {
  const foot = html`<section class="cells-foot" aria-label="The cells of this page"></section>`;
  let loading: Promise<PageCells> | undefined;
  /** Loads the editor and the parser, which most readers never need. */
  const load = () => {
    listAll();
    loading ??= import("./pageCells.js").then(({ PageCells }) => PageCells.open(foot));
    loading.catch(() => foot.replaceChildren("The editor did not load, so the cells cannot be edited."));
    return loading;
  };
  const offerToEdit = () => {
    for (const listing of document.querySelectorAll<HTMLElement>("div[data-cell]:not(:has(> .cell-edit))")) {
      const edit = async () => (await load()).cell(listing.dataset.cell!).open();
      listing.append(html`<button type="button" class="quiet cell-edit" onclick=${edit}>Edit</button>`);
    }
  };
  /** Lists the cells that the page does not list at first. */
  const listAll = () => {
    for (const template of document.querySelectorAll<HTMLTemplateElement>("template.hidden-code")) {
      template.replaceWith(html`<div class="hidden-code">${template.content}</div>`);
    }
    offerToEdit();
  };
  const isLink = () => location.hash.startsWith(linkKey);
  freezeUsedNodes();
  offerToEdit();
  // The element is displayed by then.
  if (isLink() || sizeOf(savedEdits()) > 0) queueMicrotask(load);
  // A link to this page with other cells begins a new visit.
  addEventListener("hashchange", () => isLink() && location.reload());
  return html`<div class="live-cells">
    <label class="code-switch"><input type="checkbox" role="switch" onchange=${listAll}>Show code</label>${foot}
  </div>`;
}
