import { html } from "htl";
import { isNumberText } from "../components/page/numberText.js";

/** Returns a description list. */
export function factList(facts: [name: string, value: string][], className = "facts"): HTMLElement {
  return html`<dl class=${className}>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns a table with the names of the rows in the first column. */
export function factTable(heads: string[], rows: (string | Node)[][]): HTMLElement {
  const classes = heads.map((_, i) => i > 0 && rows.every((cells) => isNumberText(String(cells[i]))) && "number");
  return html`<div class="wide"><table>
    <thead><tr>${heads.map((head, i) => html`<th scope="col" class=${classes[i]}>${head}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([name, ...cells]) =>
        html`<tr><th scope="row">${name}</th>${cells.map((cell, i) => html`<td class=${classes[i + 1]}>${cell}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;
}
