import * as Plot from "@observablehq/plot";
import { labelMarks } from "../figures/plot.js";
import { tickText } from "../page/numberText.js";
import type { LineStyle } from "../runs/runStyle.js";
import { type Axis, type Point, positionOn, ticksOf } from "./axes.js";
import { brushChart, type RunBrush } from "./brushChart.js";
import { type RunRow, valueText } from "./runRow.js";

/** The least width of an axis with its texts. */
const axisWidth = 112;
/** The share of the distance of two axes that is left beside the first and the last one. */
const padding = 0.8;
/** Pixels per em of texts. */
const em = 12;
/** Half the width of the area around an axis that can be brushed. */
const reach = 14;

/**
 * Returns a chart with a line per run through an axis per setting or result, which can be brushed along its axes.
 * @param styles the lines' styles, in the order of the rows
 */
export function parallelCoordinates(
  rows: readonly RunRow[],
  axes: readonly Axis[],
  styles: readonly LineStyle[],
  width: number,
): RunBrush {
  const pointsOf = (row: RunRow) =>
    axes.flatMap((axis) => {
      const position = positionOn(axis, row[axis.name]);
      return position === undefined ? [] : [{ run: row.run, axis: axis.name, position }];
    });
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
    ariaLabel: "Parallel coordinates of the runs",
    x: { type: "point", domain: axes.map(({ name }) => name), padding, axis: null },
    y: { domain: [0, 1], axis: null },
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
      rows.map((row, i) => Plot.line(pointsOf(row), { x: "axis", y: "position", ...styles[i], strokeOpacity: 0.85 })),
      Plot.dot(rows.flatMap(pointsOf), {
        x: "axis",
        y: "position",
        r: 0,
        channels: { run: "run" },
        title: ({ run, axis }: { run: string; axis: string }) => {
          const row = rows.find((candidate) => candidate.run === run)!;
          return `${run}\n${axis}: ${valueText(axis, row[axis])}`;
        },
        tip: true,
      }),
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
  const [x, y] = [chart.scale("x")!, chart.scale("y")!];
  const [bottom, top] = y.range as [number, number];
  const areas = axes.map((axis) => {
    const center: number = x.apply(axis.name);
    const positions = rows.map((row): Point | undefined => {
      const position = positionOn(axis, row[axis.name]);
      return position === undefined ? undefined : [center, y.apply(position)];
    });
    const extent = [
      [center - reach, top - 4],
      [center + reach, bottom + 4],
    ] as const;
    return { extent, positions, isVertical: true };
  });
  return brushChart(labelMarks(chart), rows, areas);
}

/**
 * Makes a scatter plot brushable.
 * @param chart a chart of Plot
 * @param x the column along its x axis
 * @param y the column along its y axis
 */
export function brushScatter(
  chart: ReturnType<typeof Plot.plot>,
  rows: readonly RunRow[],
  x: string,
  y: string,
): RunBrush {
  const [xScale, yScale] = [chart.scale("x")!, chart.scale("y")!];
  const positions = rows.map((row): Point | undefined =>
    row[x] === undefined || row[y] === undefined ? undefined : [xScale.apply(row[x]), yScale.apply(row[y])],
  );
  const [xs, ys] = [xScale, yScale].map(({ range }) => [...(range as number[])].sort((a, b) => a - b));
  const extent = [
    [xs[0] - 10, ys[0] - 10],
    [xs[1] + 10, ys[1] + 10],
  ] as const;
  return brushChart(chart, rows, [{ extent, positions, isVertical: false }]);
}

/** Returns the options of a scale of Plot for an axis. */
export function scaleOptions(axis: Axis): Plot.ScaleOptions {
  const { name, type, domain, isFlipped } = axis;
  const tickOptions = type === "point" ? {} : { ticks: ticksOf(axis), tickFormat: tickText };
  return { type, domain, label: name, reverse: isFlipped, inset: 10, ...tickOptions } as Plot.ScaleOptions;
}
