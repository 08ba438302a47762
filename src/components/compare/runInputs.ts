import * as Inputs from "observablehq:stdlib/inputs";
import { html } from "htl";
import { type AxisChoice, type AxisValue, canBeLog, isWide } from "../figures/axes.js";
import { rememberedInput } from "../inputs/rememberedInput.js";
import { setInputValue } from "../inputs/setInputValue.js";
import type { LineStyle } from "../runs/runStyle.js";
import { table } from "../tables/table.js";
import type { ComparedRun } from "./comparedRun.js";
import { runLabel, runSpan } from "./runMarks.js";
import { differenceText, type RunRow, rowOf, valueText } from "./runRow.js";

/** Returns an input for the run that the others are compared with, or null for none. */
export function baselineInput(rows: readonly RunRow[]): Inputs.Input<RunRow | null> {
  return rememberedInput("Baseline", (before?: RunRow | null) => {
    const choices = [null, ...rows];
    const format = (row: RunRow | null) => row?.run ?? "none";
    const value = before !== undefined && choices.includes(before) ? before : rows[0];
    return Inputs.select<RunRow | null>(choices, { label: "Baseline", format, value });
  });
}

/**
 * Returns a select of names or labelled items. It keeps the choice of an earlier one with the same label, or else has
 * `position`.
 */
export function namedSelect<T extends string | { label: string }>(
  label: string,
  items: readonly T[],
  position = 0,
): Inputs.Input<T> {
  return rememberedInput(label, (before?: T) => {
    const format = (item?: T) => (typeof item === "object" ? item.label : item);
    const value = items.find((item) => format(item) === format(before)) ?? items[position] ?? items[0];
    return Inputs.select<T>(items, { label, format, value });
  });
}

/** Returns an input for the axes of the columns: which are shown, logarithmic and flipped. */
export function axesInput(rows: readonly RunRow[], names: readonly string[]): Inputs.Input<AxisChoice> {
  return rememberedInput(`Axes of ${names}`, (before?: AxisChoice) => {
    const logNames = names.filter((name) => canBeLog(name, rows));
    const { shown, log, flipped } = before ?? {
      shown: names.slice(),
      log: logNames.filter((name) => isWide(name, rows)),
      flipped: [],
    };
    return Inputs.form<AxisChoice>({
      shown: Inputs.checkbox(names, { label: "Axes", value: shown }),
      log: Inputs.checkbox(logNames, { label: "Log scale", value: log }),
      flipped: Inputs.checkbox(names, { label: "Flipped", value: flipped }),
    });
  });
}

/** Returns a value and its difference to the baseline's. */
function comparedValue(name: string, value: AxisValue, baseline: RunRow | null): HTMLElement {
  const difference = baseline ? differenceText(name, value, baseline[name]) : "";
  return html`<span>${valueText(name, value)}${difference && html` <small class="difference">${difference}</small>`}</span>`;
}

/** Returns a table of runs. Its value is the selected rows; none if none is selected. */
export function brushTable(
  rows: readonly RunRow[],
  names: readonly string[],
  baseline: RunRow | null,
): Inputs.Input<readonly RunRow[]> {
  const columns = names.map((name) => [name, (value: AxisValue) => comparedValue(name, value, baseline)]);
  const nameOf = (run: string) =>
    run === baseline?.run ? html.fragment`${run} <small class="difference">baseline</small>` : run;
  const format = { ...Object.fromEntries(columns), run: nameOf };
  const options = { columns: ["run", ...names], thing: "run", format, required: false, layout: "auto" };
  const form = table(rows, { ...options, rows: rows.length, maxHeight: 440 });
  // Sorting makes new rows.
  const labelBoxes = () => {
    for (const row of form.querySelectorAll("tr")) {
      const box = row.querySelector<HTMLInputElement>("td input, th input");
      const name = row.querySelector(".of-row")?.firstChild?.textContent ?? "all runs";
      if (box) box.ariaLabel = `Mark ${name}`;
    }
  };
  labelBoxes();
  form.classList.add("brush-table");
  form.addEventListener("click", labelBoxes);
  return form;
}

/** The value of a run's setting. */
interface Setting {
  field: string;
  value: AxisValue;
}

/** Returns a table of the settings in which runs differ, with a column per run. */
export function differencesTable(
  runs: readonly ComparedRun[],
  styles: readonly LineStyle[],
  names: readonly string[],
  baseline: RunRow | null,
): HTMLElement {
  const positions = runs.map((_, i) => String(i + 1));
  const byPosition = <T>(make: (run: ComparedRun, i: number) => T) =>
    Object.fromEntries(positions.map((position, i) => [position, make(runs[i], i)]));
  const settingOf = (run: ComparedRun, field: string): Setting => ({ field, value: rowOf(run)[field] });
  const rows = names.map((field) => ({ field, ...byPosition((run) => settingOf(run, field)) }));
  const format = ({ name }: ComparedRun) => {
    return ({ field, value }: Setting) => runSpan(name, comparedValue(field, value, baseline));
  };
  const form = table(rows, {
    columns: ["field", ...positions],
    header: byPosition((run, i) => runLabel(styles[i], run.name)),
    format: byPosition(format),
    select: false,
    layout: "auto",
    rows: 40,
  });
  return html`<div class="config-differences" role="group" aria-label="Settings that differ">${form}</div>`;
}

/** Returns how many runs are marked, with a button that marks none. */
export function brushState(
  brush: Inputs.Input<readonly RunRow[]>,
  marked: readonly RunRow[],
  rows: readonly RunRow[],
): HTMLElement {
  const clear = html`<button type="button" class="quiet" onclick=${() => setInputValue(brush, [])}>Clear</button>`;
  return html`<p class="brush-state" role="status">${
    marked.length > 0 ? [`${marked.length} of ${rows.length} runs are marked.`, clear] : ""
  }</p>`;
}
