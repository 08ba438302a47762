import * as Plot from "@observablehq/plot";
import type { Sweep } from "../../engine/sweep.js";
import { colorRamp, rampLegend } from "../colorRamp.js";
import { element } from "../element.js";
import { rampOffset } from "../rampOffset.js";
import type { DrawnSweep } from "./sweepCharts.js";
import type { SweepCell, Sweeper } from "./sweeper.js";
import { axisLabel, shownValue } from "./sweepFields.js";
import type { SweepMeasure } from "./sweepMeasures.js";

const rowHeight = 46;
const leastColumn = 58;
const margins = { marginTop: 30, marginBottom: 44, marginRight: 8 };

/** Pixels of the map: as wide as there is room, or as its columns need. */
export function heatMapSize({ vary: [rows, columns] }: Sweep, room: number) {
  const width = Math.max(room, marginLeft(rows.values) + margins.marginRight + leastColumn * columns.values.length);
  return { width, height: rowHeight * rows.values.length + margins.marginTop + margins.marginBottom };
}

/** Room for the rows' values. */
function marginLeft(values: readonly (string | number)[]): number {
  return 22 + 8 * Math.max(...values.map((value) => shownValue(value).length));
}

/** A cell a run, its number in it; rows from the top, in the order of the sweep. */
export function heatMap(sweeper: Sweeper, measure: SweepMeasure, size: { width: number; height: number }): DrawnSweep {
  const [rows, columns] = sweeper.sweep!.vary;
  const ramp = colorRamp("viridis");
  const numberOf = ({ result }: SweepCell) => (result?.status === "done" ? measure.of(result) : Number.NaN);
  const values = sweeper.cells.map(numberOf).filter(Number.isFinite);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const place = (value: number) => (measure.isLog && low > 0 ? Math.log(value) : value);
  const share = (value: number) => (high > low ? (place(value) - place(low)) / (place(high) - place(low)) : 0.5);
  const colorOf = (cell: SweepCell) => {
    const value = numberOf(cell);
    const at = rampOffset(share(value));
    return Number.isNaN(value) ? undefined : [...ramp.bytes.subarray(at, at + 3)];
  };
  const fill = (cell: SweepCell) => {
    const color = colorOf(cell);
    return color ? `rgb(${color.join(", ")})` : "var(--theme-background-alt)";
  };
  const ink = (cell: SweepCell) => {
    const color = colorOf(cell);
    return color ? (luminance(color) > middleLuminance ? "#000" : "#fff") : "var(--theme-foreground-muted)";
  };
  const text = (cell: SweepCell) => {
    const value = numberOf(cell);
    if (Number.isFinite(value)) return measure.text(value);
    return value === Number.POSITIVE_INFINITY ? "∞" : (cell.result?.status ?? "missing");
  };
  const at = {
    x: ({ run }: SweepCell) => shownValue(run.values[1]),
    y: ({ run }: SweepCell) => shownValue(run.values[0]),
  };
  const plot = Plot.plot({
    ...size,
    ...margins,
    marginLeft: marginLeft(rows.values),
    style: { fontSize: "13px" },
    ariaLabel: `${measure.label} by ${axisLabel(rows.field)} and ${axisLabel(columns.field)}`,
    x: {
      type: "band",
      domain: columns.values.map(shownValue),
      label: `${axisLabel(columns.field)} →`,
      tickSize: 0,
      padding: 0,
    },
    y: {
      type: "band",
      domain: rows.values.map(shownValue),
      label: `↓ ${axisLabel(rows.field)}`,
      labelAnchor: "top",
      tickSize: 0,
      padding: 0,
    },
    marks: [
      Plot.cell(sweeper.cells, { ...at, fill, inset: 1.5, rx: 3 }),
      Plot.text(sweeper.cells, { ...at, text, fill: ink, fontWeight: 600, pointerEvents: "none" }),
    ],
  });
  const legend = rampLegend(ramp, measure.label);
  const middle = measure.isLog && low > 0 ? Math.sqrt(low * high) : (low + high) / 2;
  legend.setTicks(high > low ? [low, middle, high].map(measure.text) : ["", measure.text(low), ""]);
  const rects = plot.querySelectorAll<SVGElement>('[aria-label="cell"] rect');
  return { node: element("div", {}, plot as HTMLElement, legend.node), marks: new Map([...rects].entries()) };
}

/** Black and white stand out from it alike (WCAG). */
const middleLuminance = 0.179;

/** How light a color is, from 0 to 1, as the eye takes it (WCAG). */
function luminance(color: number[]): number {
  const [red, green, blue] = color.map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
