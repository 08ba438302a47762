import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { indices } from "../../figures/shapes.js";
import { oneTabStop } from "../../inputs/oneTabStop.js";
import { tableOf } from "../../page/element.js";
import { countSwaps, type SortRecord } from "./sortModel.js";
import type { SortStepper } from "./sortStepper.js";

/**
 * Returns a table of the swaps of each pass, with a row for each block size and a column for each distance. It marks the
 * current pass of a stepper, and goes to the pass that the reader picks.
 * @param isSame the passes in which the kernel agrees, if that is known
 */
export function passTable(
  { n, passes, comparators }: SortRecord,
  steps: SortStepper,
  isSame?: readonly boolean[],
): HTMLElement {
  const cells = passes.map(({ k, j }, pass) => {
    const swaps = countSwaps(comparators[pass]);
    const label = `Pass ${pass + 1}, k = ${k}, j = ${j}: ${swaps} swaps`;
    const onclick = () => steps.goToPass(pass);
    const button = html`<button type="button" aria-label=${label} onclick=${onclick}>${swaps}</button>`;
    const [sign, title] = !isSame ? ["", ""] : isSame[pass] ? ["✓", "the kernel agrees"] : ["✗", "the kernel differs"];
    return linkThings(html`<td>${button}<span class="pass-verdict" title=${title}>${sign}</span></td>`, `pass:${pass}`);
  });
  const markCurrent = () => {
    const { step, pass: current } = steps.value;
    for (const [pass, cell] of cells.entries()) cell.ariaCurrent = step > 0 && pass === current ? "step" : null;
  };
  steps.oninput = markCurrent;
  markCurrent();
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
  return scrollBox("Swaps in each pass", table);
}
