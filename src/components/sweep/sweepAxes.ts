import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { ConfigError } from "../../engine/config.js";
import { type FieldName, fieldNames, fields } from "../../engine/fields.js";
import { parseValues, type SweptValue } from "../../engine/sweep/sweptValues.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { showError } from "../page/help.js";
import { offeredValues } from "../training/fieldInput.js";
import { shownValue } from "./sweepFields.js";

type Name = FieldName | "";

/** An input for `view`: its value holds the values of one or two swept fields, those of the rows first. */
type SweepAxes = HTMLElement & { value: Record<string, SweptValue[]> };

/**
 * Returns the input of the fields that vary.
 * @param vary the initial values by field, as text; errors in it are shown
 */
export function sweepAxes(engine: BrowserEngine, vary: Record<string, string>): SweepAxes {
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
  const rows = axisInput(engine, "Rows", first, update);
  const columns = axisInput(engine, "Columns", second, update);
  // Typing is no change of the value yet.
  const oninput = (event: Event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  };
  const root = html<SweepAxes>`<div class="sweep-axes" oninput=${oninput}>${rows.node}${columns.node}</div>`;
  update();
  if (third) columns.showMessage(`At most two settings can vary, so ${third[0]} is ignored.`);
  return root;
}

/** Returns the inputs of one axis: its field, its values as text, and suggested values to tick. */
function axisInput(
  engine: BrowserEngine,
  label: "Rows" | "Columns",
  [initialField, text]: [string, string],
  update: () => void,
) {
  const message = html`<p class="knob-error" role="status"></p>`;
  const isKnown = initialField === "" || Object.hasOwn(fields, initialField);
  const [names, defaultField]: [Name[], Name] =
    label === "Rows" ? [fieldNames, "learningRate"] : [["", ...fieldNames], ""];
  const format = (name: Name) => (name === "" ? "none" : fields[name].label);
  const field = Inputs.select<Name>(names, { label, format, value: isKnown ? (initialField as Name) : defaultField });
  const textInput = Inputs.text({ label: `${label}: values`, value: isKnown ? text : "", width: "100%" });
  const box = textInput.querySelector("input")!;
  let ticks: Inputs.Input<SweptValue[]> | undefined;
  let suggestedField: Name | undefined;
  const typicalValues = (): readonly SweptValue[] => (field.value === "" ? [] : offeredValues(field.value, engine));
  /** Reads the text, or shows what is wrong with it; returns whether it is valid. */
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
    if (ticks && suggestedField === name) ticks.value = value;
    else {
      ticks = name === "" ? undefined : Inputs.checkbox(typicalValues(), { value, format: shownValue });
      suggestions.replaceChildren(ticks ?? "");
    }
    suggestedField = name;
    return true;
  };
  const applyText = () => {
    if (read()) update();
  };
  textInput.oninput = read;
  textInput.onchange = applyText;
  field.onchange = () => {
    textInput.value = typicalValues().slice(0, 3).join(", ");
    applyText();
  };
  const applyTicks = () => {
    const others = axis.values.filter((value) => !typicalValues().includes(value));
    const all = [...others, ...ticks!.value];
    textInput.value = (all.every((value) => typeof value === "number") ? all.sort((a, b) => a - b) : all).join(", ");
    applyText();
  };
  const suggestions = html`<div class="picks" role="group" aria-label="Suggested values" onchange=${applyTicks}></div>`;
  const axis = {
    node: html`<div class="sweep-axis knob">${[field, textInput, message, suggestions]}</div>`,
    values: [] as SweptValue[],
    get name() {
      return field.value;
    },
    /** Shows what is wrong, or nothing for an empty sentence. */
    showMessage(sentence: string) {
      showError(message, sentence, "A setting is refused");
      axis.node.classList.toggle("wrong", sentence !== "");
      box.ariaInvalid = String(sentence !== "");
    },
  };
  read();
  if (!isKnown) axis.showMessage(`There is no setting ${initialField}.`);
  return axis;
}
