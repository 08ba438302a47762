import * as Plot from "@observablehq/plot";
import { element } from "../../element.js";
import { pipelineMark } from "../../pipelineMarks.js";
import { type PlainChart, plainChart } from "../../plainChart.js";
import { logTicks } from "../../runs/runLines.js";
import type { Race, Runner } from "./race.js";

const mostPoints = 300;

/** How good each program's picture is by the seconds that it has had. */
export function learningChart(race: Race): PlainChart {
  return plainChart(
    "The same curve, sooner and later",
    290,
    (frame) => {
      const lines = race.runners.map((runner) => ({ runner, points: thinned(runner.points) }));
      const points = lines.flatMap(({ points }) => points);
      if (points.length < 3) return element("p", { class: "chart-waiting" }, "The curves come with the race.");
      const seconds = points.map(({ seconds }) => seconds);
      const ends = [Math.min(...seconds), Math.max(...seconds)];
      const color = ({ program }: Runner) => pipelineMark(program.pipeline).color;
      return Plot.plot({
        ...frame,
        marginLeft: 46,
        marginRight: 16,
        marginBottom: 42,
        insetTop: 6,
        style: { fontSize: "12px" },
        ariaLabel: "PSNR against the seconds that a program has had",
        x: {
          type: "log",
          label: "seconds that it has had →",
          grid: true,
          ticks: logTicks(ends[0], ends[1]),
          tickFormat: (value: number) => String(value),
        },
        y: { label: "↑ PSNR, decibels", grid: true, ticks: 5, nice: true },
        marks: lines.flatMap(({ runner, points }) => [
          Plot.lineY(points, {
            x: "seconds",
            y: "psnr",
            stroke: color(runner),
            strokeWidth: 2,
            strokeDasharray: runner.program.keepsStates ? "4 3" : undefined,
          }),
          Plot.dot(points.slice(-1), {
            x: "seconds",
            y: "psnr",
            r: 4.5,
            symbol: pipelineMark(runner.program.pipeline).symbol,
            stroke: color(runner),
            strokeWidth: 2,
            fill: runner.program.keepsStates ? "var(--theme-background)" : color(runner),
          }),
        ]),
      });
    },
    "Marks as in the chart of times; dashed where states are kept. The seconds are on a logarithmic axis, on which a faster program's curve is the same one, further left.",
  );
}

/** What has a place on the axes, and no more points than can be told apart. */
function thinned(points: Runner["points"]): Runner["points"] {
  const shown = points.filter(({ seconds, psnr }) => seconds > 0 && Number.isFinite(psnr));
  const stride = Math.ceil(shown.length / mostPoints);
  return shown.filter((_, index) => index % stride === 0 || index === shown.length - 1);
}
