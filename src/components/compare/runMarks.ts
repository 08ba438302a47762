import * as Plot from "@observablehq/plot";
import { html } from "htl";
import { type AxisValue, axisOf, isWide, ticksOf } from "../figures/axes.js";
import { allowPinning, linkThings, pin, thingName } from "../figures/pointing.js";
import { tickText } from "../page/numberText.js";
import { classOf, fadeOthers, type LineStyle, lineSwatch, linkRuns, runStyle } from "../runs/runStyle.js";
import type { RunRow } from "./runRow.js";

/** The choice of a colour for each run. */
export const byRun = "run";

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
  const scale = colorScale(rows, colorBy, isDark);
  if (scale) {
    const { apply } = Plot.scale({ color: scale })!;
    const colorOf = (value: AxisValue) => (Number.isFinite(value) ? apply(value) : "var(--earlier)");
    return rows.map((row, i) => ({ stroke: colorOf(row[colorBy]), strokeWidth: 1.75, className: classOf(i) }));
  }
  const groups = groupsOf(rows, colorBy);
  return rows.map((row, i) => ({ ...runStyle(groups.indexOf(row[colorBy])), className: classOf(i) }));
}

function groupsOf(rows: readonly RunRow[], name: string): AxisValue[] {
  return [...new Set(rows.map((row) => row[name]))];
}

/** Returns the colour scale of numbers: viridis, which is ordered by lightness, so that any colour vision reads it. */
function colorScale(rows: readonly RunRow[], name: string, isDark: boolean): Plot.ScaleOptions | undefined {
  const log = isWide(name, rows) ? [name] : [];
  const axis = axisOf(name, rows, { log, flipped: [] });
  if (axis.type === "point") return undefined;
  const { type, domain } = axis;
  return { type, domain, scheme: "viridis", range: isDark ? [0.4, 1] : [0, 0.58], label: name } as Plot.ScaleOptions;
}

/** Returns the legend of a colour scale or of groups; undefined if the key of the runs is enough. */
export function colorLegend(rows: readonly RunRow[], colorBy: string, isDark: boolean): Element | undefined {
  if (colorBy === byRun) return undefined;
  const color = colorScale(rows, colorBy, isDark);
  if (color) {
    const ticks = ticksOf(axisOf(colorBy, rows, { log: color.type === "log" ? [colorBy] : [], flipped: [] }));
    return Plot.legend({ color: { ...color, ticks, tickFormat: tickText }, width: 300 });
  }
  const items = groupsOf(rows, colorBy).map(
    (group, i) => html`<span>${lineSwatch(runStyle(i))} ${group ?? "unknown"}</span>`,
  );
  return html`<p class="color-groups">${colorBy}: ${items}</p>`;
}

/** Links the marks of a chart to the runs of their classes, and fades those of runs that are not marked. */
export function markRuns<E extends Element>(chart: E, rows: readonly RunRow[], marked: readonly RunRow[]): E {
  const names = rows.map(({ run }) => run);
  return fadeOthers(linkRuns(chart, names), names, new Set(marked.map(({ run }) => run)));
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
export function runKey(rows: readonly RunRow[], styles: readonly LineStyle[], marked: readonly RunRow[]): HTMLElement {
  allowPinning("run");
  const buttons = rows.map((row, i) => {
    const thing = thingName("run", row.run);
    const isFaded = marked.length > 0 && !marked.includes(row);
    const button = html`<button type="button" class=${`quiet${isFaded ? " faded" : ""}`} title=${row.run} aria-pressed="false" onclick=${() => pin(thing)}>
      ${lineSwatch(styles[i])}<span>${row.run}</span>
    </button>`;
    return linkThings(button, thing);
  });
  return html`<div class="compare-key" role="group" aria-label="Compared runs">
    ${buttons.length > 0 ? buttons : "No run is selected. Select one in the table."}
  </div>`;
}
