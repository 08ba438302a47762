type Child = Node | string | undefined | false;

/**
 * Returns an HTML element with attributes, listeners (`onclick` and so on) and children. A false or undefined attribute is
 * left out, a true one is empty.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

/** Returns an SVG element, as `element` does. */
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

/** Returns a table with column heads and rows. */
export function tableOf(heads: (string | Node)[], rows: Node[], attributes = {}): HTMLTableElement {
  const cells = heads.map((name) => (name === "" ? element("td") : element("th", { scope: "col" }, name)));
  const head = element("tr", {}, ...cells);
  return element("table", attributes, element("thead", {}, head), element("tbody", {}, ...rows));
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
  return element("button", { type: "button", onclick }, label);
}

let ids = 0;

/** Returns a unique element id. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${++ids}`;
}

/** Selects a value of a list. A missing value is added with a text. */
export function showChoice(select: HTMLSelectElement, value: string, text: string): void {
  if (!Array.from(select.options).some((option) => option.value === value)) {
    select.append(element("option", { value }, text));
  }
  select.value = value;
}
