type Child = Node | string | undefined | false;

/**
 * An HTML element with attributes, listeners (`onclick` and so on) and children. An attribute that is false or
 * undefined is left out, one that is true is empty.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

/** The same for an SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill<E extends Element>(node: E, attributes: Record<string, unknown>, children: Child[]): E {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value as EventListener);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== undefined && child !== false));
  return node;
}

/** A table: the heads of its columns above its rows. */
export function tableOf(heads: (string | Node)[], rows: Node[], attributes = {}): HTMLTableElement {
  const cells = heads.map((name) => (name === "" ? element("td") : element("th", { scope: "col" }, name)));
  const head = element("tr", {}, ...cells);
  return element("table", attributes, element("thead", {}, head), element("tbody", {}, ...rows));
}

/** Gives an element its text, and leaves it alone where it has that already: what is read out or selected stays so. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Gives a live region its text, which is read out if it tells what happened, and not if it is how far something is. */
export function announce(region: HTMLElement, text: string, isEvent: boolean): void {
  region.ariaLive = isEvent ? "polite" : "off";
  setText(region, text);
}

let ids = 0;

/** An id that no other element has. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++ids}`;
}

/** Lets a select show a value; one that it does not offer yet is added, under the text. */
export function showChoice(select: HTMLSelectElement, value: string, text: string): void {
  if (!Array.from(select.options).some((option) => option.value === value)) {
    select.append(element("option", { value }, text));
  }
  select.value = value;
}
