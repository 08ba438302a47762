import { html } from "htl";

/** Returns a table with column heads and rows. */
export function tableOf(heads: (string | Node)[], rows: Node[], attributes = {}): HTMLTableElement {
  const cells = heads.map((name) => (name === "" ? html`<td></td>` : html`<th scope="col">${name}</th>`));
  return html<HTMLTableElement>`<table ${attributes}><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** Sets the text of an element if it differs. Screen readers and selections notice each replacement of a text node. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Sets the text of a live region. Screen readers announce events, not progress. */
export function announce(region: HTMLElement, text: string, isEvent: boolean): void {
  region.ariaLive = isEvent ? "polite" : "off";
  setText(region, text);
}

export function button(label: string, onclick: () => void): HTMLButtonElement {
  return html<HTMLButtonElement>`<button type="button" onclick=${onclick}>${label}</button>`;
}

let ids = 0;

/** Returns a unique element id. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++ids}`;
}
