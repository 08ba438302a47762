import { html } from "htl";

/**
 * Returns a short formula as text: `_` begins a subscript, `^…^` encloses a superscript, and `~` puts a bar over the
 * letter that follows, as adjoints are written.
 */
export function mathText(formula: string): HTMLElement {
  const token = /(~?)([A-Za-zµΣαθρ])(_[A-Za-z0-9]+)?(′?)|\^([^^]+)\^|([^~A-Za-zµΣαθρ^]+)/g;
  const parts = [...formula.matchAll(token)].flatMap(([, bar, letter, sub, prime, sup, other]) => {
    if (sup) return [html`<sup>${sup}</sup>`];
    if (!letter) return [other];
    const subscript = sub ? html`<sub>${sub.slice(1)}</sub>` : null;
    return [html`<i class=${bar ? "barred" : null}>${letter}</i>`, prime, subscript];
  });
  return html`<span class="math-text">${parts}</span>`;
}

/** Returns the same formula for screen readers. */
export function mathWords(formula: string): string {
  return formula.replaceAll("~", "adjoint of ").replaceAll("_", " ").replaceAll("^", " ");
}
