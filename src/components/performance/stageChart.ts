import * as Plot from "@observablehq/plot";
import type { BenchResult, Measurement } from "../../engine/benchResult.js";
import { element } from "../element.js";
import { percent, time } from "../format.js";
import { pipelineMark } from "../pipelineMarks.js";
import { plainChart } from "../plainChart.js";

const rowHeight = 26;

/** Where the time of a step goes: a bar a kernel, in the order in which they run; a chart a pipeline. */
export function stageCharts({ measurements }: BenchResult): HTMLElement {
  return element(
    "div",
    { class: "chart-grid" },
    ...measurements.filter(({ stageTimes }) => stageTimes).map(stageChart),
  );
}

function stageChart({ pipeline, stageTimes = {} }: Measurement): HTMLElement {
  const stages = Object.entries(stageTimes).map(([stage, milliseconds]) => ({ stage, milliseconds }));
  const sum = stages.reduce((total, { milliseconds }) => total + milliseconds, 0);
  const inMicroseconds = sum < 1;
  const value = ({ milliseconds }: { milliseconds: number }) => (inMicroseconds ? 1000 : 1) * milliseconds;
  const unit = inMicroseconds ? "µs" : "ms";
  return plainChart(`${pipeline}: ${time(sum)} in ${stages.length} kernels`, rowHeight * stages.length + 60, (frame) =>
    Plot.plot({
      ...frame,
      marginLeft: 128,
      marginRight: 92,
      marginTop: 6,
      marginBottom: 42,
      style: { fontSize: "12px" },
      ariaLabel: `Time of each kernel of ${pipeline}`,
      x: { label: `${unit} of a step →`, grid: true, ticks: 4 },
      y: { label: null, domain: stages.map(({ stage }) => stage), tickSize: 0 },
      marks: [
        Plot.barX(stages, { x: value, y: "stage", fill: pipelineMark(pipeline).color, insetTop: 2, insetBottom: 2 }),
        Plot.text(stages, {
          x: value,
          y: "stage",
          text: ({ milliseconds }: { milliseconds: number }) => `${time(milliseconds)}, ${percent(milliseconds / sum)}`,
          textAnchor: "start",
          dx: 5,
        }),
        Plot.ruleX([0]),
      ],
    }),
  );
}
