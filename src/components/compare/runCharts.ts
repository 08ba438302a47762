import * as Plot from "@observablehq/plot";
import { type Axis, type Point, positionOn, ticksOf } from "../figures/axes.js";
import { parallelAxes, pointsOn } from "../figures/parallelAxes.js";
import { tickText } from "../page/numberText.js";
import type { LineStyle } from "../runs/runStyle.js";
import { brushChart, type RunBrush } from "./brushChart.js";
import { type RunRow, valueText } from "./runRow.js";

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
  const lines = rows.map((row, i) =>
    Plot.line(pointsOn(axes, row), { x: "axis", y: "position", ...styles[i], strokeOpacity: 0.85 }),
  );
  const points = rows.flatMap((row) => pointsOn(axes, row));
  const tips = Plot.dot(points, {
    x: "axis",
    y: "position",
    r: 0,
    channels: { run: ({ row }: { row: RunRow }) => row.run },
    title: ({ row, axis }: { row: RunRow; axis: string }) => `${row.run}\n${axis}: ${valueText(axis, row[axis])}`,
    tip: true,
  });
  const chart = parallelAxes(axes, width, "Parallel coordinates of the runs", [lines, tips]);
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
  return brushChart(chart, rows, areas);
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
