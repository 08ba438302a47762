import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { indices } from "../../figures/shapes.js";
import { oneTabStop } from "../../inputs/oneTabStop.js";
import { setText, tableOf } from "../../page/element.js";
import { countSwaps, type SortRecord } from "./sortModel.js";

/** A table of the swaps of each pass, with a row for each block size and a column for each distance. */
export type PassTable = HTMLElement & {
  /** Marks the current pass, and the passes in which the kernel agrees or differs, if that is known. */
  show(pass: number | undefined, isSame?: readonly boolean[]): void;
};

/** @param choose called with the pass that the reader picks */
export function passTable({ n, passes, comparators }: SortRecord, choose: (pass: number) => void): PassTable {
  const verdicts = passes.map(() => html`<span class="pass-verdict">`);
  const cells = passes.map(({ k, j }, pass) => {
    const swaps = countSwaps(comparators[pass]);
    const label = `Pass ${pass + 1}, k = ${k}, j = ${j}: ${swaps} swaps`;
    const button = html`<button type="button" aria-label=${label} onclick=${() => choose(pass)}>${swaps}</button>`;
    return linkThings(html`<td>${button}${verdicts[pass]}</td>`, `pass:${pass}`);
  });
  const powers = indices(Math.log2(n)).map((power) => 2 ** (power + 1));
  const rows = powers.map((size) => {
    const blanks = powers.filter((other) => other > size).map(() => html`<td>`);
    const rowCells = cells.filter((_, pass) => passes[pass].k === size);
    return html`<tr><th scope="row">k = ${size}</th>${[...blanks, ...rowCells]}</tr>`;
  });
  const heads = powers.toReversed().map((size) => `j = ${size / 2}`);
  const table = tableOf(["", ...heads], rows, { class: "pass-table" });
  oneTabStop(table);
  table.createCaption().append("Swaps in each pass: row by row, from left to right");
  const show: PassTable["show"] = (shown, isSame) => {
    for (const [pass, cell] of cells.entries()) {
      cell.ariaCurrent = pass === shown ? "step" : null;
      setText(verdicts[pass], isSame === undefined ? "" : isSame[pass] ? "✓" : "✗");
      verdicts[pass].title = isSame === undefined ? "" : `the kernel ${isSame[pass] ? "agrees" : "differs"}`;
    }
  };
  return Object.assign(scrollBox("Swaps in each pass", table), { show });
}
