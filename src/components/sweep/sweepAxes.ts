import * as Inputs from "observablehq:stdlib/inputs";
import { ConfigError } from "../../engine/config.js";
import { type FieldName, fieldNames, fields } from "../../engine/fields.js";
import { parseValues, type SweptValue } from "../../engine/sweep/sweptValues.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { element } from "../page/element.js";
import { showError } from "../page/help.js";
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
  let wasDuplicate = false;
  const update = () => {
    const isDuplicate = rows.name === columns.name;
    if (wasDuplicate !== isDuplicate) columns.showMessage("");
    wasDuplicate = isDuplicate;
    if (isDuplicate) columns.showMessage("Rows and columns vary the same setting. Choose another one, or none.");
    const chosen = [rows, columns].slice(0, isDuplicate ? 1 : 2).filter(({ values }) => values.length > 0);
    const next = Object.fromEntries(chosen.map(({ name, values }) => [name, values]));
    if (JSON.stringify(next) === JSON.stringify(root.value)) return;
    root.value = next;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  // What is typed is no change yet.
  root.addEventListener("input", (event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  });
  const rows = axisInput(engine, "Rows", first, update);
  const columns = axisInput(engine, "Columns", second, update);
  root.append(rows.node, columns.node);
  update();
  if (third) columns.showMessage(`At most two settings can vary, so ${third[0]} is ignored.`);
  return root;
}

/** One of the two fields, its values as they are typed, and those that may be ticked. */
function axisInput(
  engine: BrowserEngine,
  label: "Rows" | "Columns",
  [initialField, text]: [string, string],
  update: () => void,
) {
  const suggestions = element("div", { class: "picks", role: "group", "aria-label": "Suggested values" });
  const message = element("p", { class: "knob-error", role: "status" });
  const isKnown = initialField === "" || Object.hasOwn(fields, initialField);
  const [names, defaultField]: [Name[], Name] =
    label === "Rows" ? [fieldNames, "learningRate"] : [["", ...fieldNames], ""];
  const format = (name: Name) => (name === "" ? "none" : fields[name].label);
  const field = Inputs.select<Name>(names, { label, format, value: isKnown ? (initialField as Name) : defaultField });
  const textInput = Inputs.text({ label: `${label}: values`, value: isKnown ? text : "", width: "100%" });
  const box = textInput.querySelector("input")!;
  let ticks: (HTMLElement & { value: SweptValue[] }) | undefined;
  const typicalValues = (): readonly SweptValue[] => {
    const name = field.value;
    return name === "" ? [] : offeredValues(name, engine);
  };
  const axis = {
    node: element("div", { class: "sweep-axis knob" }, field, textInput, message, suggestions),
    values: [] as SweptValue[],
    get name() {
      return field.value;
    },
    /** Says what is wrong; nothing if it is empty. */
    showMessage(sentence: string) {
      showError(message, sentence, "A setting is refused");
      axis.node.classList.toggle("wrong", sentence !== "");
      box.ariaInvalid = String(sentence !== "");
    },
  };
  /** Reads what is typed; false where it is wrong, which is told. */
  const read = () => {
    const name = field.value;
    box.disabled = name === "";
    try {
      axis.values = name === "" ? [] : parseValues(name, textInput.value);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      axis.showMessage(error.message);
      return false;
    }
    axis.showMessage("");
    const value = typicalValues().filter((value) => axis.values.includes(value));
    if (ticks && suggestions.dataset.field === name) ticks.value = value;
    else {
      ticks = name === "" ? undefined : Inputs.checkbox(typicalValues(), { value, format: shownValue });
      suggestions.replaceChildren(ticks ?? "");
    }
    suggestions.dataset.field = name;
    return true;
  };
  const applyTyped = () => read() && update();
  textInput.addEventListener("input", read);
  textInput.addEventListener("change", applyTyped);
  field.addEventListener("change", () => {
    textInput.value = typicalValues().slice(0, 3).join(", ");
    applyTyped();
  });
  suggestions.addEventListener("change", () => {
    const others = axis.values.filter((value) => !typicalValues().includes(value));
    const all = [...others, ...ticks!.value];
    textInput.value = (all.every((value) => typeof value === "number") ? all.sort((a, b) => a - b) : all).join(", ");
    applyTyped();
  });
  read();
  if (!isKnown) axis.showMessage(`There is no setting ${initialField}.`);
  return axis;
}
