import { element } from "../components/page/element.js";
import { isNumberText } from "../components/page/numberText.js";

/** Returns a description list. */
export function factList(facts: [name: string, value: string][], className = "facts"): HTMLElement {
  return element(
    "dl",
    { class: className },
    ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

/** Returns a table with the names of the rows in the first column. */
export function factTable(heads: string[], rows: string[][]): HTMLElement {
  const isNumber = heads.map((_, i) => i > 0 && rows.every((cells) => isNumberText(cells[i])));
  const classOf = (i: number) => isNumber[i] && "number";
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, ...heads.map((head, i) => element("th", { scope: "col", class: classOf(i) }, head))),
      ),
      element(
        "tbody",
        {},
        ...rows.map(([name, ...cells]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, name),
            ...cells.map((cell, i) => element("td", { class: classOf(i + 1) }, cell)),
          ),
        ),
      ),
    ),
  );
}
