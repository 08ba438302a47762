import { operationsPerPair, pairWork } from "../../engine/work.js";
import { element } from "../element.js";

/** The operations on one pair of a pixel and a blob, one by one. */
export function pairTable(): HTMLElement {
  const cells = (name: "th" | "td", texts: string[]) => texts.map((text) => element(name, {}, text));
  const { forward, backward } = operationsPerPair;
  const rows = pairWork.map(({ what, formula, forward: there, backward: back }) =>
    element("tr", {}, ...cells("td", [what, formula, String(there || "–"), String(back || "–")])),
  );
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      { class: "pair-table" },
      element("thead", {}, element("tr", {}, ...cells("th", ["of a pair", "", "forward", "back"]))),
      element("tbody", {}, ...rows),
      element("tfoot", {}, element("tr", {}, ...cells("th", ["together", "", String(forward), String(backward)]))),
    ),
  );
}
