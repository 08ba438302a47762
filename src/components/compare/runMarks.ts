import { allowPinning, linkThings, pin, thingName } from "../figures/pointing.js";
import { element } from "../page/element.js";
import { lineSwatch, runStyle } from "../runs/runStyle.js";
import type { ComparedRun } from "./comparedRun.js";

/** What belongs to the run of a name. */
export function runSpan(name: string, ...children: (Node | string)[]): HTMLElement {
  return linkThings(element("span", {}, ...children), thingName("run", name));
}

/** A run's name with its line. */
export function runLabel(position: number, name: string): HTMLElement {
  return runSpan(name, lineSwatch(runStyle(position - 1)), " ", name);
}

/** Which colour and dash is which run; it stays in sight. A click pins a run. */
export function runKey(runs: readonly ComparedRun[]): HTMLElement {
  allowPinning("run");
  const buttons = runs.map(({ name }, i) => {
    const thing = thingName("run", name);
    const attributes = {
      type: "button",
      class: "quiet",
      title: name,
      "aria-pressed": "false",
      onclick: () => pin(thing),
    };
    return linkThings(element("button", attributes, lineSwatch(runStyle(i)), element("span", {}, name)), thing);
  });
  const emptyText = "No run is selected. Select one in the table.";
  return element(
    "div",
    { class: "compare-key", role: "group", "aria-label": "Compared runs" },
    ...(buttons.length > 0 ? buttons : [emptyText]),
  );
}
