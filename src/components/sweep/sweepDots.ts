import * as Plot from "@observablehq/plot";
import type { DrawnSweep } from "./sweepCharts.js";
import type { SweepCell, Sweeper } from "./sweeper.js";
import { axisLabel, shownValue } from "./sweepFields.js";
import type { SweepMeasure } from "./sweepMeasures.js";

/** A dot a run over the values of the one field that varies, with its number. */
export function dotChart(sweeper: Sweeper, measure: SweepMeasure, size: { width: number; height: number }): DrawnSweep {
  const [{ field, values }] = sweeper.sweep!.vary;
  const done = sweeper.cells.filter(({ result }) => result?.status === "done" && Number.isFinite(measure.of(result)));
  const y = ({ result }: SweepCell) => measure.of(result!);
  const x = ({ run }: SweepCell) => shownValue(run.values[0]);
  const isLog = measure.isLog && done.every((cell) => y(cell) > 0);
  const plot = Plot.plot({
    ...size,
    marginLeft: 60,
    marginRight: 24,
    marginTop: 34,
    marginBottom: 44,
    insetTop: 22,
    style: { fontSize: "13px" },
    ariaLabel: `${measure.label} by ${axisLabel(field)}`,
    x: { type: "point", domain: values.map(shownValue), label: `${axisLabel(field)} →` },
    y: { label: `↑ ${measure.label}`, grid: true, nice: true, ticks: 5, ...(isLog ? { type: "log" as const } : {}) },
    marks: [
      typeof values[0] === "number" ? Plot.lineY(done, { x, y, stroke: "var(--current)", strokeWidth: 1.5 }) : [],
      Plot.dot(done, { x, y, r: 6, fill: "var(--current)" }),
      Plot.text(done, { x, y, text: (cell: SweepCell) => measure.text(y(cell)), dy: -16, fontWeight: 600 }),
    ],
  });
  const dots = plot.querySelectorAll<SVGElement>('[aria-label="dot"] circle');
  return { node: plot, marks: new Map([...dots].map((dot, i) => [done[i].index, dot])) };
}
