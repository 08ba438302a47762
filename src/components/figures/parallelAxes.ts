import * as Plot from "@observablehq/plot";
import { tickText } from "../page/numberText.js";
import { type Axis, type AxisRow, positionOn, ticksOf } from "./axes.js";
import { labelMarks } from "./plot.js";

/** The least width of an axis with its texts. */
const axisWidth = 112;
/** The share of the distance of two axes that is left beside the first and the last one. */
const padding = 0.8;
/** Pixels per em of texts. */
const em = 12;

/** Returns the points of a run in parallel coordinates, without those of unknown values. */
export function pointsOn<Row extends AxisRow>(axes: readonly Axis[], row: Row) {
  return axes.flatMap(({ name, ...axis }) => {
    const position = positionOn({ name, ...axis }, row[name]);
    return position === undefined ? [] : [{ row, axis: name, position }];
  });
}

/**
 * Returns a chart of Plot with parallel axes.
 * @param marks have their points at x: "axis" and y: "position"
 */
export function parallelAxes(axes: readonly Axis[], width: number, ariaLabel: string, marks: Plot.Markish[]) {
  const tickMarks = axes.flatMap((axis) =>
    ticksOf(axis).map((value) => ({
      axis: axis.name,
      position: positionOn(axis, value),
      text: typeof value === "number" ? tickText(value) : value,
    })),
  );
  const chartWidth = Math.max(width, axisWidth * axes.length);
  const besides = (chartWidth * padding) / (axes.length - 1 + 2 * padding);
  const chart = Plot.plot({
    width: chartWidth,
    height: 320,
    marginTop: 36,
    marginBottom: 14,
    marginLeft: 0,
    marginRight: 0,
    ariaLabel,
    x: { type: "point", domain: axes.map(({ name }) => name), padding, axis: null },
    y: { domain: [0, 1], axis: null },
    color: { type: "identity" },
    opacity: { type: "identity" },
    marks: [
      Plot.ruleX(axes, { x: "name", stroke: "var(--theme-foreground-muted)" }),
      Plot.text(axes, {
        x: "name",
        text: ({ name, type, isFlipped }: Axis) => {
          const notes = [type === "log" && "log", isFlipped && "flipped"].filter(Boolean).join(", ");
          return notes ? `${name}\n${notes}` : name;
        },
        frameAnchor: "top",
        lineAnchor: "bottom",
        dy: -8,
        fontWeight: 600,
      }),
      marks,
      Plot.text(tickMarks, {
        x: "axis",
        y: "position",
        text: "text",
        textAnchor: "end",
        dx: -5,
        lineWidth: (besides - 8) / em,
        textOverflow: "ellipsis",
        fill: "var(--theme-foreground)",
        stroke: "var(--theme-background)",
      }),
    ],
  });
  return labelMarks(chart);
}
