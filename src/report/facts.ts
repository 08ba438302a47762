import { element } from "../components/page/element.js";

/** Names and what they are of, below each other. */
export function factList(facts: [name: string, value: string][], look = "facts"): HTMLElement {
  return element(
    "dl",
    { class: look },
    ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}

/** A table whose first column names its rows. */
export function factTable(heads: string[], rows: string[][]): HTMLElement {
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element(
        "tbody",
        {},
        ...rows.map(([name, ...cells]) =>
          element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell))),
        ),
      ),
    ),
  );
}
