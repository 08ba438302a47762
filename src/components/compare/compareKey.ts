import { element } from "../element.js";
import { lineSwatch } from "../runs/lineSwatch.js";
import { runStyle } from "../runs/runStyle.js";
import type { Comparison } from "./comparison.js";

/** Which colour and dash is which run; it stays in sight. A click points a run out. */
export function compareKey(comparison: Comparison): HTMLElement {
  const node = element("div", { class: "compare-key", role: "group", "aria-label": "The runs that are compared" });
  const show = () => {
    const buttons = comparison.chosen.map(({ name }, place) =>
      element(
        "button",
        { type: "button", class: "quiet", title: name, "data-run": place + 1 },
        lineSwatch(runStyle(place)),
        element("span", {}, name),
      ),
    );
    node.replaceChildren(
      ...(buttons.length > 0 ? buttons : ["No run is chosen: tick one in the table, and it is drawn below."]),
    );
  };
  comparison.observe("runs", show);
  show();
  return node;
}
