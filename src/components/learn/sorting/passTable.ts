import { standsFor } from "../../figures/pointed.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { upTo } from "../../figures/shapes.js";
import { oneTabStop } from "../../inputs/oneTabStop.js";
import { element, setText, tableOf } from "../../page/element.js";
import { type SortRecord, swapsOf } from "./sortModel.js";

/** Swaps by pass, a row for each block size and a column for each distance. */
export type PassTable = HTMLElement & {
  /** Marks the pass at work, and says of each pass whether the kernel did the same, where that is known. */
  show(pass: number | undefined, isSame?: readonly boolean[]): void;
};

/** @param choose hears of a pass that the reader picks */
export function passTable({ n, passes, comparators }: SortRecord, choose: (pass: number) => void): PassTable {
  const verdicts = passes.map(() => element("span", { class: "pass-verdict" }));
  const cells = passes.map(({ k, j }, pass) => {
    const swaps = swapsOf(comparators[pass]);
    const label = `Pass ${pass + 1}, k = ${k}, j = ${j}: ${swaps} swaps`;
    const go = element("button", { type: "button", "aria-label": label, onclick: () => choose(pass) }, String(swaps));
    return standsFor(element("td", {}, go, verdicts[pass]), `pass:${pass}`);
  });
  const powers = upTo(Math.log2(n)).map((power) => 2 ** (power + 1));
  const rows = powers.map((size) => {
    const blanks = powers.filter((other) => other > size).map(() => element("td"));
    const own = cells.filter((_, pass) => passes[pass].k === size);
    return element("tr", {}, element("th", { scope: "row" }, `k = ${size}`), ...blanks, ...own);
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
