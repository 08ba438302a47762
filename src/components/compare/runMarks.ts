import { follow, pin, standsFor, thingOf } from "../figures/pointed.js";
import { element } from "../page/element.js";
import { lineSwatch, runStyle } from "../runs/runStyle.js";
import type { ComparedRun } from "./comparedRun.js";

/** What belongs to the run of a name. */
export function ofRun(name: string, ...children: (Node | string)[]): HTMLElement {
  return standsFor(element("span", {}, ...children), thingOf("run", name));
}

/** A run's name with its line. */
export function runLabel(place: number, name: string): HTMLElement {
  return ofRun(name, lineSwatch(runStyle(place - 1)), " ", name);
}

/** Which colour and dash is which run; it stays in sight. A click pins a run. */
export function runKey(runs: readonly ComparedRun[]): HTMLElement {
  follow("run");
  const buttons = runs.map(({ name }, i) => {
    const thing = thingOf("run", name);
    const attributes = {
      type: "button",
      class: "quiet",
      title: name,
      "aria-pressed": "false",
      onclick: () => pin(thing),
    };
    return standsFor(element("button", attributes, lineSwatch(runStyle(i)), element("span", {}, name)), thing);
  });
  const none = "No run is selected. Select one in the table.";
  return element(
    "div",
    { class: "compare-key", role: "group", "aria-label": "Compared runs" },
    ...(buttons.length > 0 ? buttons : [none]),
  );
}
