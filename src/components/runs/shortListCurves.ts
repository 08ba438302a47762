import * as Plot from "@observablehq/plot";
import { count } from "../format.js";
import { chartHeight } from "../liveChart.js";
import { type PlainChart, plainChart } from "../plainChart.js";
import { listLimit } from "./listLimit.js";
import type { CurvesView, NamedCurve } from "./runCurves.js";
import { againstLabels, roundedUp } from "./runLines.js";
import { runStyle } from "./runStyle.js";

type Row = NamedCurve["points"][number];

const measures = [
  { of: (row: Row) => row.shortLists.longest, name: "longest", strokeOpacity: 0.55 },
  { of: (row: Row) => row.shortLists.mean, name: "mean", strokeOpacity: 1 },
];

/** How long the tiles' short-lists were: for each run the longest, faint, and the mean. */
export function shortListCurves(view: () => CurvesView): PlainChart {
  const draw = (frame: { width: number; height: number }) => {
    const { runs, against } = view();
    const all = runs.flatMap(({ points }) => points);
    if (all.length < 2) return undefined;
    const longest = all.reduce((most, { shortLists }) => Math.max(most, shortLists.longest), 1);
    // A limit that the lists do not come near is not worth its room.
    const caps = new Set(runs.map(({ config }) => listLimit(config)));
    const [cap] = caps.size === 1 ? caps : [];
    const isNear = cap !== undefined && cap <= 1.5 * longest;
    const end = roundedUp(all.reduce((most, row) => Math.max(most, row[against]), 0));
    return Plot.plot({
      ...frame,
      marginLeft: 52,
      marginRight: 60,
      marginTop: 26,
      marginBottom: 42,
      style: { fontSize: "12px" },
      ariaLabel: `Blobs in a tile's short-list against ${againstLabels[against]}`,
      x: { label: `${againstLabels[against]} →`, domain: [0, end], ticks: 5, tickFormat: count },
      y: {
        label: "↑ blobs in a tile's short-list",
        grid: true,
        domain: [0, 1.05 * Math.max(longest, isNear ? cap : 0)],
      },
      marks: [
        isNear ? Plot.ruleY([cap], { stroke: "var(--overflow)", strokeWidth: 1.5 }) : null,
        isNear
          ? Plot.text([cap], {
              y: (limit: number) => limit,
              text: () => `GAUSSIANS_PER_BLOCK ${cap}`,
              frameAnchor: "left",
              textAnchor: "start",
              dx: 6,
              dy: 9,
              fill: "var(--overflow)",
              fontWeight: 600,
            })
          : null,
        runs.map(({ points }, i) =>
          measures.map(({ of, strokeOpacity }) =>
            Plot.lineY(points, { x: against, y: of, ...runStyle(i), strokeOpacity }),
          ),
        ),
        runs
          .slice(0, 1)
          .map(({ points }) =>
            measures.map(({ of, name }) =>
              Plot.text(points.slice(-1), { x: against, y: of, text: () => name, textAnchor: "start", dx: 6 }),
            ),
          ),
      ],
    });
  };
  return plainChart("How long the short-lists were", chartHeight, draw);
}
