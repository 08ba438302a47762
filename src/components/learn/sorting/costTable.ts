import { element } from "../../element.js";
import { count } from "../../format.js";
import { scrollBox } from "../controls.js";
import { randomNumbers } from "./numbers.js";
import { networkCost, serialComparisons } from "./sortModel.js";

/** What the sort may cost: places of the list, and threads that share them. */
export interface CostOptions {
  sizes?: readonly number[];
  threads?: number;
}

/** Passes, comparators and loop turns of the network by the length of the list, beside a sort by one thread. */
export function sortCostTable({ sizes = [16, 64, 256, 512, 1024], threads = 32 }: CostOptions = {}): HTMLElement {
  const heads = [
    "places n",
    "passes",
    "comparators",
    `loop turns of each of ${threads} threads`,
    "n log₂ n",
    "comparisons of your browser’s sort",
  ];
  const rows = sizes.map((n) => {
    const { passes, comparators } = networkCost(n);
    const turns = passes * Math.ceil(n / threads);
    return [n, passes, comparators, turns, n * Math.log2(n), serialComparisons(randomNumbers(n, n))];
  });
  return scrollBox(
    "What the network costs",
    element(
      "table",
      { class: "cost-table" },
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element(
        "tbody",
        {},
        ...rows.map(([n, ...others]) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, count(n)),
            ...others.map((number) => element("td", {}, count(number))),
          ),
        ),
      ),
    ),
  );
}
