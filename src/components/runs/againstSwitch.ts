import { element, uniqueId } from "../element.js";
import type { Against } from "./runLines.js";

/** Chooses whether charts show training against steps or seconds; it begins with steps. */
export function againstSwitch(choose: (against: Against) => void): HTMLElement {
  const name = uniqueId("against");
  const option = (value: Against, text: string) =>
    element(
      "label",
      {},
      element("input", { type: "radio", name, value, checked: value === "step", onchange: () => choose(value) }),
      text,
    );
  return element(
    "fieldset",
    { class: "switch" },
    element("legend", {}, "against"),
    option("step", "steps"),
    option("seconds", "seconds"),
  );
}
