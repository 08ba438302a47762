import * as Plot from "@observablehq/plot";
import type { MetricsRow } from "../../engine/arrow.js";
import { type ParameterGroup, parameterGroups } from "../../engine/blobs.js";
import { count } from "../format.js";
import type { ChartFrame } from "../liveChart.js";
import { type Against, againstLabels, logTicks, logTickText, roundedUp } from "./runLines.js";

const groups = Object.keys(parameterGroups) as ParameterGroup[];
const margins = { marginTop: 24, marginBottom: 42, marginLeft: 52, marginRight: 84 };
const lineHeight = 15;

/** The norm of a run's gradient by parameter group, each line named at its end; undefined while there is none. */
export function gradientChart(points: readonly MetricsRow[], frame: ChartFrame, against: Against) {
  if (points.length < 2) return undefined;
  const norms = points
    .flatMap(({ gradientNorms }) => groups.map((group) => gradientNorms[group]))
    .filter((norm) => norm > 0);
  const domain = [10 ** Math.floor(Math.log10(Math.min(...norms))), 10 ** Math.ceil(Math.log10(Math.max(...norms)))];
  const last = points.at(-1)!;
  return Plot.plot({
    ...frame,
    ...margins,
    style: { fontSize: "12px" },
    ariaLabel: `Gradient norm by parameter group against ${againstLabels[against]}`,
    x: { label: `${againstLabels[against]} →`, domain: [0, roundedUp(last[against])], ticks: 5, tickFormat: count },
    y: {
      type: "log",
      label: "↑ gradient norm, loss per raw unit",
      domain,
      grid: true,
      ticks: logTicks(domain[0], domain[1]),
      tickFormat: logTickText,
    },
    marks: [
      groups.map((group) =>
        Plot.lineY(points, {
          x: against,
          y: ({ gradientNorms }: MetricsRow) => gradientNorms[group] || undefined,
          stroke: `var(--group-${group})`,
          strokeWidth: 1.75,
        }),
      ),
      endLabels(last, domain, frame.height).map(({ group, norm, shift }) =>
        Plot.text([last], {
          x: against,
          y: () => norm,
          text: () => group,
          textAnchor: "start",
          dx: 6,
          dy: shift,
          fill: `var(--group-${group})`,
          fontWeight: 600,
        }),
      ),
    ],
  });
}

/** The names of the lines, pushed apart in pixels where their ends are close. */
function endLabels(last: MetricsRow, [low, high]: number[], height: number) {
  const pixels = (norm: number) => {
    const share = Math.log(norm / low) / Math.log(high / low);
    return height - margins.marginBottom - share * (height - margins.marginTop - margins.marginBottom);
  };
  const ends = groups
    .map((group) => ({ group, norm: Math.max(last.gradientNorms[group], low) }))
    .map((end) => ({ ...end, at: pixels(end.norm), shift: 0 }))
    .sort((a, b) => b.at - a.at);
  let free = height - margins.marginBottom;
  for (const end of ends) {
    const at = Math.min(end.at, free);
    end.shift = at - end.at;
    free = at - lineHeight;
  }
  return ends;
}
