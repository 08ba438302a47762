import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { ConfigError } from "../../engine/config.js";
import { type FieldName, fieldNames, fields } from "../../engine/fields.js";
import { maxFields } from "../../engine/sweep/sweep.js";
import { parseDrawRange, parseValues, type SweptValue } from "../../engine/sweep/sweptValues.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import { showError } from "../page/help.js";
import { offeredValues } from "../training/fieldInput.js";
import { shownValue } from "./sweepFields.js";

type Name = FieldName | "";

/** The values of a swept field, or the range to draw them from, as typed. */
type AxisValues = SweptValue[] | string;

/** An input for `view`: its value holds the values of the swept fields, those of the rows first. */
type SweepAxes = HTMLElement & { value: Record<string, AxisValues> };

/**
 * Returns the input of the fields that vary.
 * @param vary the initial values by field, as text; errors in it are shown
 */
export function sweepAxes(engine: BrowserEngine, vary: Record<string, string>): SweepAxes {
  const given = Object.entries(vary).slice(0, maxFields);
  const update = () => {
    const chosen: Record<string, AxisValues> = {};
    for (const axis of axes) {
      if (axis.name === "" || axis.values.length === 0) continue;
      if (!(axis.name in chosen)) chosen[axis.name] = axis.values;
      else axis.showMessage("Another input varies the same setting. Choose another one, or none.");
    }
    if (JSON.stringify(chosen) === JSON.stringify(root.value)) return;
    root.value = chosen;
    root.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const readAll = () => {
    // A message about a setting that two inputs vary is outdated once one of them changes.
    for (const axis of axes) axis.read();
    update();
  };
  const addAxis = (initial: [string, string] = ["", ""]) => {
    const label = ["Rows", "Columns"][axes.length] ?? `Setting ${axes.length + 1}`;
    const axis = axisInput(engine, label, axes.length > 0, initial, readAll);
    axes.push(axis);
    add.before(axis.node);
    add.hidden = axes.length === maxFields;
  };
  const axes: ReturnType<typeof axisInput>[] = [];
  const add = html<HTMLButtonElement>`<button type="button" onclick=${() => addAxis()}>Add a setting</button>`;
  // Typing is no change of the value yet.
  const oninput = (event: Event) => {
    if (event.target !== root) event.stopImmediatePropagation();
  };
  const root = html<SweepAxes>`<div class="sweep-axes" oninput=${oninput}>${add}</div>`;
  const [first = ["learningRate", ""], second, ...others] = given as [string, string][];
  for (const initial of [first, second, ...others]) addAxis(initial);
  update();
  return root;
}

/**
 * Returns the inputs of one axis: its field, its values as text, and suggested values to tick.
 * @param readAll reads all axes
 */
function axisInput(
  engine: BrowserEngine,
  label: string,
  isOptional: boolean,
  [initialField, text]: [string, string],
  readAll: () => void,
) {
  const message = html`<p class="knob-error" role="status"></p>`;
  const isKnown = initialField === "" || Object.hasOwn(fields, initialField);
  const [names, defaultField]: [Name[], Name] = isOptional ? [["", ...fieldNames], ""] : [fieldNames, "learningRate"];
  const format = (name: Name) => (name === "" ? "none" : fields[name].label);
  const field = Inputs.select<Name>(names, { label, format, value: isKnown ? (initialField as Name) : defaultField });
  const textInput = Inputs.text({ label: `${label}: values`, value: isKnown ? text : "", width: "100%" });
  const box = textInput.querySelector("input")!;
  let ticks: Inputs.Input<SweptValue[]> | undefined;
  let suggestedField: Name | undefined;
  const typedValues = () => (typeof axis.values === "string" ? [] : axis.values);
  const typicalValues = (): readonly SweptValue[] => (field.value === "" ? [] : offeredValues(field.value, engine));
  /** Reads the text, or shows what is wrong with it. */
  const read = () => {
    const name = field.value;
    box.disabled = name === "";
    try {
      const range = name === "" ? undefined : parseDrawRange(name, textInput.value);
      axis.values = range?.text ?? (name === "" ? [] : parseValues(name, textInput.value));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      axis.showMessage(error.message);
      return;
    }
    axis.showMessage("");
    const value = typicalValues().filter((value) => typedValues().includes(value));
    if (ticks && suggestedField === name) ticks.value = value;
    else {
      ticks = name === "" ? undefined : Inputs.checkbox(typicalValues(), { value, format: shownValue });
      suggestions.replaceChildren(ticks ?? "");
    }
    suggestedField = name;
  };
  textInput.oninput = read;
  textInput.onchange = readAll;
  field.onchange = () => {
    textInput.value = typicalValues().slice(0, 3).join(", ");
    readAll();
  };
  const applyTicks = () => {
    const others = typedValues().filter((value) => !typicalValues().includes(value));
    const all = [...others, ...ticks!.value];
    textInput.value = (all.every((value) => typeof value === "number") ? all.sort((a, b) => a - b) : all).join(", ");
    readAll();
  };
  const suggestions = html`<div class="picks" role="group" aria-label="Suggested values" onchange=${applyTicks}></div>`;
  const axis = {
    node: html`<div class="sweep-axis knob">${[field, textInput, message, suggestions]}</div>`,
    values: [] as AxisValues,
    read,
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
