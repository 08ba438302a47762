import { element } from "../../page/element.js";

/**
 * A short formula as text that a table can hold: `_` begins a subscript, `^…^` holds a superscript, `~` puts a bar over
 * the letter behind it, which is how adjoints are written. Letters are slanted, as in the formulas of the page.
 */
export function mathText(formula: string): HTMLElement {
  const node = element("span", { class: "math-text" });
  const token = /(~?)([A-Za-zµΣραS])(_[A-Za-z0-9]+)?(′?)|\^([^^]+)\^|([^~A-Za-zµΣρα^]+)/g;
  for (const [, bar, letter, sub, prime, sup, other] of formula.matchAll(token)) {
    if (letter) {
      node.append(element("i", { class: bar ? "barred" : "" }, letter), prime);
      if (sub) node.append(element("sub", {}, sub.slice(1)));
    } else if (sup) node.append(element("sup", {}, sup));
    else node.append(other);
  }
  return node;
}

/** The same for who hears it. */
export function mathWords(formula: string): string {
  return formula.replaceAll("~", "adjoint of ").replaceAll("_", " ").replaceAll("^", " ");
}
