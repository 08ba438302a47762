import * as Plot from "@observablehq/plot";
import type { ScalingRow } from "../../engine/scaling.js";
import { pipelineMark } from "../pipelineMarks.js";
import { plainChart } from "../plainChart.js";
import { logTicks } from "../runs/runLines.js";
import { pipelinesOf, series } from "./scalingFacts.js";

/** A step by the size of the tiles that were asked for. */
export function tileChart(rows: ScalingRow[], title: string, note: string): HTMLElement {
  const measured = pipelinesOf(rows).flatMap((pipeline) => series(rows, "tile", pipeline));
  const times = measured.map(({ median }) => median);
  const name = ({ tileWidth, tileHeight }: ScalingRow) => `${tileWidth}×${tileHeight}`;
  const names = [...new Set(measured.toSorted((a, b) => tilePixels(a) - tilePixels(b)).map(name))];
  return plainChart(
    title,
    300,
    (frame) =>
      Plot.plot({
        ...frame,
        marginLeft: 56,
        marginRight: 56,
        marginBottom: 56,
        marginTop: 26,
        insetTop: 6,
        style: { fontSize: "12px" },
        ariaLabel: "Time of a step by tile size",
        x: { type: "point", domain: names, label: "tile, pixels →", tickRotate: frame.width < 480 ? -35 : 0 },
        y: { type: "log", label: "↑ ms a step", grid: true, ticks: logTicks(Math.min(...times), Math.max(...times)) },
        marks: pipelinesOf(measured).map((pipeline) => {
          const points = series(rows, "tile", pipeline).sort((a, b) => tilePixels(a) - tilePixels(b));
          const { color, symbol } = pipelineMark(pipeline);
          return [
            Plot.lineY(points, { x: name, y: "median", stroke: color, strokeWidth: 2 }),
            Plot.ruleX(points, { x: name, y1: "min", y2: "max", stroke: color }),
            Plot.dot(points, { x: name, y: "median", fill: color, symbol, r: 4 }),
            Plot.text(points.slice(-1), {
              x: name,
              y: "median",
              text: () => pipeline,
              textAnchor: "start",
              dx: 8,
              fill: color,
              fontWeight: 600,
            }),
          ];
        }),
      }),
    note,
  );
}

function tilePixels({ tileWidth, tileHeight }: ScalingRow): number {
  return tileWidth * tileHeight;
}
