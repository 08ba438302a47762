import * as Inputs from "observablehq:stdlib/inputs";
import { ConfigError } from "../../engine/config.js";
import { type FieldName, fieldNames, fields } from "../../engine/fields.js";
import { parseValues, type SweptValue } from "../../engine/sweep/sweptValues.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element } from "../page/element.js";
import { tellTrouble } from "../page/help.js";
import { offeredValues } from "../training/fieldInput.js";
import { shownValue } from "./sweepFields.js";

type Name = FieldName | "";

/** Which fields vary: an input for `view`, whose value holds the values of one field or two, those of rows first. */
export type SweepAxes = HTMLElement & { value: Record<string, SweptValue[]> };

/**
 * @param vary the values' text by field to begin with; what is wrong in it is told
 */
export function sweepAxes(engine: BrowserEngine, vary: Record<string, string>): SweepAxes {
  const root = element("div", { class: "sweep-axes" }) as unknown as SweepAxes;
  const [first = ["learningRate", ""], second = ["", ""], third] = Object.entries(vary);
  let wasTwice = false;
  const changed = () => {
    const isTwice = rows.name === columns.name;
    if (wasTwice !== isTwice) columns.tell("");
    wasTwice = isTwice;
    if (isTwice) columns.tell("Rows and columns vary the same setting. Choose another one, or none.");
    const chosen = [rows, columns].slice(0, isTwice ? 1 : 2).filter(({ values }) => values.length > 0);
    const next = Object.fromEntries(chosen.map(({ name, values }) => [name, values]));
    if (JSON.stringify(next) === JSON.stringify(root.value)) return;
    root.value = next;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What is typed is no change yet.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });
  const rows = axisInput(engine, "Rows", first, changed);
  const columns = axisInput(engine, "Columns", second, changed);
  root.append(rows.node, columns.node);
  changed();
  if (third) columns.tell(`At most two settings can vary, so ${third[0]} is ignored.`);
  return root;
}

/** One of the two fields, its values as they are typed, and those that may be ticked. */
function axisInput(
  engine: BrowserEngine,
  label: "Rows" | "Columns",
  [given, text]: [string, string],
  changed: () => void,
) {
  const picks = element("div", { class: "picks", role: "group", "aria-label": "Suggested values" });
  const message = element("p", { class: "knob-error", role: "status" });
  const isKnown = given === "" || Object.hasOwn(fields, given);
  const [names, usual]: [Name[], Name] = label === "Rows" ? [fieldNames, "learningRate"] : [["", ...fieldNames], ""];
  const format = (name: Name) => (name === "" ? "none" : fields[name].label);
  const field = Inputs.select<Name>(names, { label, format, value: isKnown ? (given as Name) : usual });
  const typed = Inputs.text({ label: `${label}: values`, value: isKnown ? text : "", width: "100%" });
  const box = typed.querySelector("input")!;
  let ticks: (HTMLElement & { value: SweptValue[] }) | undefined;
  const typical = (): readonly SweptValue[] => {
    const name = field.value;
    return name === "" ? [] : offeredValues(name, engine);
  };
  const axis = {
    node: element("div", { class: "sweep-axis knob" }, field, typed, message, picks),
    values: [] as SweptValue[],
    get name() {
      return field.value;
    },
    /** Says what is wrong; nothing if it is empty. */
    tell(sentence: string) {
      tellTrouble(message, sentence, "A setting is refused");
      axis.node.classList.toggle("wrong", sentence !== "");
      box.ariaInvalid = String(sentence !== "");
    },
  };
  /** Reads what is typed; false where it is wrong, which is told. */
  const read = () => {
    const name = field.value;
    box.disabled = name === "";
    try {
      axis.values = name === "" ? [] : parseValues(name, typed.value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      axis.tell(error.message);
      return false;
    }
    axis.tell("");
    const value = typical().filter((value) => axis.values.includes(value));
    if (ticks && picks.dataset.field === name) ticks.value = value;
    else {
      ticks = name === "" ? undefined : Inputs.checkbox(typical(), { value, format: shownValue });
      picks.replaceChildren(ticks ?? "");
    }
    picks.dataset.field = name;
    return true;
  };
  const settle = () => read() && changed();
  typed.addEventListener("input", read);
  typed.addEventListener("change", settle);
  field.addEventListener("change", () => {
    typed.value = typical().slice(0, 3).join(", ");
    settle();
  });
  picks.addEventListener("change", () => {
    const others = axis.values.filter((value) => !typical().includes(value));
    const all = [...others, ...ticks!.value];
    typed.value = (all.every((value) => typeof value === "number") ? all.sort((a, b) => a - b) : all).join(", ");
    settle();
  });
  read();
  if (!isKnown) axis.tell(`There is no setting ${given}.`);
  return axis;
}
