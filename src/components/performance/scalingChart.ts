import * as Plot from "@observablehq/plot";
import { type ScalingRow, totalBytes } from "../../engine/scaling.js";
import { prefixed } from "../format.js";
import { pipelineMark } from "../pipelineMarks.js";
import { plainChart } from "../plainChart.js";
import { logTicks } from "../runs/runLines.js";
import { pipelinesOf, series, withTilesOf } from "./scalingFacts.js";

const height = 300;

interface Axis {
  label: string;
  of: (row: ScalingRow) => number;
}

const times: Axis = { label: "↑ ms a step", of: ({ median }) => median };
const bytes: Axis = { label: "↑ bytes on the GPU", of: totalBytes };

/** One sweep: what it changes along the bottom, both axes logarithmic, a line a pipeline. */
interface SweepChart {
  title: string;
  rows: ScalingRow[];
  axis: string;
  x: Axis;
  y: "time" | "bytes";
  /** From the first of these numbers on, a dashed line shows growth in proportion to (tile, blob) pairs. */
  proportionalFrom?: number;
  note?: string;
}

export function sweepChart({ title, rows, axis, x, y, proportionalFrom, note }: SweepChart): HTMLElement {
  const vertical = y === "time" ? times : bytes;
  const lines = pipelinesOf(rows)
    .map((pipeline) => ({ pipeline, points: series(rows, axis, pipeline), ...pipelineMark(pipeline) }))
    .filter(({ points }) => points.length > 0);
  const references =
    proportionalFrom === undefined ? [] : lines.map((line) => reference(line.points, x, proportionalFrom, rows));
  const all = lines.flatMap(({ points }) => points);
  const ticksOf = (numbers: number[]) => logTicks(Math.min(...numbers), Math.max(...numbers));
  const heights = [...all.map(vertical.of), ...references.flatMap(({ points }) => points.map((point) => point.y))];
  return plainChart(
    title,
    height,
    (frame) =>
      Plot.plot({
        ...frame,
        marginLeft: 56,
        marginRight: 56,
        marginBottom: 42,
        marginTop: 26,
        insetTop: 6,
        style: { fontSize: "12px" },
        ariaLabel: `${vertical.label} against ${x.label}`,
        x: { type: "log", label: x.label, tickFormat: shortNumber, ticks: ticksOf(all.map(x.of)) },
        y: { type: "log", label: vertical.label, grid: true, tickFormat: shortNumber, ticks: ticksOf(heights) },
        marks: [
          references.map(({ points, color }) =>
            Plot.lineY(points, { x: "x", y: "y", stroke: color, strokeWidth: 1.25, strokeDasharray: "4 4" }),
          ),
          lines.map(({ pipeline, points, color, symbol }) => [
            Plot.lineY(points, { x: x.of, y: vertical.of, stroke: color, strokeWidth: 2 }),
            y === "time" ? Plot.ruleX(points, { x: x.of, y1: "min", y2: "max", stroke: color }) : [],
            Plot.dot(points, {
              x: x.of,
              y: vertical.of,
              fill: color,
              symbol,
              r: 4,
              channels: { pairs: { value: "entries", label: "(tile, blob) pairs" } },
              tip: { format: { x: shortNumber, y: shortNumber, pairs: shortNumber } },
            }),
            Plot.text(points.slice(-1), {
              x: x.of,
              y: vertical.of,
              text: () => pipeline,
              textAnchor: "start",
              dx: 8,
              fill: color,
              fontWeight: 600,
            }),
          ]),
        ],
      }),
    note,
  );
}

/** Where a line would go, were a step's time proportional to the (tile, blob) pairs. */
function reference(points: ScalingRow[], x: Axis, from: number, rows: ScalingRow[]) {
  const later = points.filter((row) => x.of(row) >= from);
  const [first] = later.length > 0 ? later : points;
  return {
    color: pipelineMark(first.pipeline).color,
    points: later.map((row) => {
      const { median, entries } = withTilesOf(row, first, rows);
      return { x: x.of(row), y: (median * row.entries) / entries };
    }),
  };
}

function shortNumber(value: number): string {
  if (value < 1) return String(Number(value.toPrecision(3)));
  return prefixed(value).replace(" ", "\u200a").trim();
}
