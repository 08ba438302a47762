import * as Plot from "@observablehq/plot";
import { html } from "htl";
import { type Axis, type AxisValue, axisOf, ticksOf } from "../figures/axes.js";
import { allowPinning, linkAll, linkChart, linkThings, pin, thingName } from "../figures/pointing.js";
import { tickText } from "../page/numberText.js";
import { classOf, type LineStyle, lineSwatch, runStyle } from "../runs/runStyle.js";
import type { RunRow } from "./runRow.js";

/** The choice of a colour for each run. */
const byRun = "run";

/** The most runs that have colours of their own. */
export const maxColors = 6;

/** Returns the columns by which lines can be coloured, the initial one first. */
export function colorChoices(rows: readonly RunRow[], names: readonly string[]): string[] {
  return rows.length > maxColors && names.length > 0 ? [...names] : [byRun, ...names];
}

/**
 * Returns the style of each run's line: by run, by the text in a column, or by its number on a continuous scale.
 * @param isDark whether the page is dark: the scale omits colours that are near the background's
 */
export function runStyles(rows: readonly RunRow[], colorBy: string, isDark: boolean): LineStyle[] {
  if (colorBy === byRun) return rows.map((_, i) => runStyle(i));
  const axis = numberAxis(rows, colorBy);
  if (axis) {
    const { apply } = Plot.scale({ color: colorScale(axis, isDark) })!;
    const colorOf = (value: AxisValue) => (Number.isFinite(value) ? apply(value) : "var(--earlier)");
    return rows.map((row, i) => ({ stroke: colorOf(row[colorBy]), strokeWidth: 1.75, className: classOf(i) }));
  }
  const groups = groupsOf(rows, colorBy);
  return rows.map((row, i) => ({ ...runStyle(groups.indexOf(row[colorBy])), className: classOf(i) }));
}

/** Returns the options of a scale of Plot for a setting or a result; logarithmic if its numbers span a factor of ten. */
export function scaleOf(rows: readonly RunRow[], name: string): Plot.ScaleOptions {
  const axis = numberAxis(rows, name);
  const options = axis
    ? { type: axis.type, domain: axis.domain, ticks: ticksOf(axis), tickFormat: tickText }
    : { type: "point" };
  return { ...options, label: name, inset: 10 } as Plot.ScaleOptions;
}

function groupsOf(rows: readonly RunRow[], name: string): AxisValue[] {
  return [...new Set(rows.map((row) => row[name]))];
}

/** Returns the axis of a column of numbers; undefined for one of texts. */
function numberAxis(rows: readonly RunRow[], name: string): Axis | undefined {
  const axis = axisOf(name, rows);
  return axis.type === "point" ? undefined : axis;
}

/** Returns the colour scale of an axis: viridis, which is ordered by lightness, so that any colour vision reads it. */
function colorScale({ name, type, domain }: Axis, isDark: boolean): Plot.ScaleOptions {
  return { type, domain, scheme: "viridis", range: isDark ? [0.4, 1] : [0, 0.58], label: name } as Plot.ScaleOptions;
}

/** Returns the legend of a colour scale or of groups; undefined if the key of the runs is enough. */
export function colorLegend(rows: readonly RunRow[], colorBy: string, isDark: boolean): Element | undefined {
  if (colorBy === byRun) return undefined;
  const axis = numberAxis(rows, colorBy);
  if (axis) {
    const color = { ...colorScale(axis, isDark), ticks: ticksOf(axis), tickFormat: tickText };
    return Plot.legend({ color, width: 300 });
  }
  const items = groupsOf(rows, colorBy).map(
    (group, i) => html`<span>${lineSwatch(runStyle(i))} ${group ?? "unknown"}</span>`,
  );
  return html`<p class="color-groups">${colorBy}: ${items}</p>`;
}

/** Links a chart of Plot, and its marks of the classes run-1, run-2 …, to runs; returns the chart. */
export function markRuns<E extends Element>(chart: E, rows: readonly RunRow[]): E {
  for (const [i, { run }] of rows.entries()) linkAll(chart, `.run-${i + 1}`, () => [thingName("run", run)]);
  return linkChart("run", chart);
}

/** Returns a span that is linked to a run. */
export function runSpan(name: string, ...children: (Node | string)[]): HTMLElement {
  return linkThings(html`<span>${children}</span>`, thingName("run", name));
}

/** Returns a run's name with its line style. */
export function runLabel(style: LineStyle, name: string): HTMLElement {
  return runSpan(name, lineSwatch(style), " ", name);
}

/** Returns the key of colours and dashes. A click pins a run. */
export function runKey(rows: readonly RunRow[], styles: readonly LineStyle[]): HTMLElement {
  allowPinning("run");
  const buttons = rows.map((row, i) => {
    const thing = thingName("run", row.run);
    const button = html`<button type="button" class="quiet" title=${row.run} aria-pressed="false" onclick=${() => pin(thing)}>
      ${lineSwatch(styles[i])}<span>${row.run}</span>
    </button>`;
    return linkThings(button, thing);
  });
  return html`<div class="compare-key" role="group" aria-label="Compared runs">
    ${buttons.length > 0 ? buttons : "No run is selected. Select one in the table."}
  </div>`;
}
