import { element, setText } from "../../element.js";
import { scrollBox } from "../controls.js";
import { standsFor } from "../marks.js";
import { type SortRecord, swapsOf } from "./sortModel.js";

/** Swaps by pass, a row for each block size and a column for each distance. */
export interface PassTable {
  readonly node: HTMLElement;
  /** Marks the pass at work; none if undefined. */
  show(pass: number | undefined): void;
  /** Says of each pass whether the kernel did the same; nothing if undefined. */
  compare(isSame: readonly boolean[] | undefined): void;
}

/** @param choose hears of a pass that the reader picks */
export function passTable({ n, passes, comparators }: SortRecord, choose: (pass: number) => void): PassTable {
  const distances = Array.from({ length: Math.log2(n) }, (_, power) => n / 2 ** (power + 1));
  const verdicts = passes.map(() => element("span", { class: "pass-verdict" }));
  const cells = passes.map(({ k, j }, pass) => {
    const swaps = swapsOf(comparators[pass]);
    const label = `Pass ${pass + 1}, k = ${k}, j = ${j}: ${swaps} swaps`;
    const go = element("button", { type: "button", "aria-label": label, onclick: () => choose(pass) }, String(swaps));
    return standsFor(element("td", {}, go, verdicts[pass]), `pass:${pass}`);
  });
  const rows = distances.toReversed().map((half) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `k = ${2 * half}`),
      ...distances.map((distance) => {
        const pass = passes.findIndex(({ k, j }) => k === 2 * half && j === distance);
        return pass < 0 ? element("td", {}) : cells[pass];
      }),
    ),
  );
  const heads = distances.map((distance) => element("th", { scope: "col" }, `j = ${distance}`));
  const node = scrollBox(
    "Swaps in each pass",
    element(
      "table",
      { class: "pass-table" },
      element("caption", {}, "Swaps in each pass: row by row, from left to right"),
      element("thead", {}, element("tr", {}, element("td", {}), ...heads)),
      element("tbody", {}, ...rows),
    ),
  );
  return {
    node,
    show(shown) {
      for (const [pass, cell] of cells.entries()) {
        cell.classList.toggle("at-work", pass === shown);
        if (pass === shown) cell.setAttribute("aria-current", "step");
        else cell.removeAttribute("aria-current");
      }
    },
    compare(isSame) {
      for (const [pass, verdict] of verdicts.entries()) {
        setText(verdict, isSame === undefined ? "" : isSame[pass] ? "✓" : "✗");
        verdict.title =
          isSame === undefined ? "" : isSame[pass] ? "the kernel did the same" : "the kernel did otherwise";
      }
    },
  };
}
