import * as Plot from "@observablehq/plot";
import type { ChartFrame } from "../liveChart.js";
import { listLimit } from "../runs/listLimit.js";
import { roundedUp } from "../runs/runLines.js";
import type { Lab } from "./lab.js";

const bins = 40;

/** How many tiles have short-lists of which length, and where GAUSSIANS_PER_BLOCK lies. */
export function shortListChart(lab: Lab, frame: ChartFrame) {
  const look = lab.run?.look;
  if (!lab.run || !look) return undefined;
  const cap = listLimit(lab.run.config);
  const { lengths } = look.tiles;
  const longest = lengths.reduce((a, b) => Math.max(a, b), 0);
  // The limit is worth its room on the axis only if the lists come near it.
  const isNear = cap !== undefined && cap <= 3 * longest;
  const end = Math.max(roundedUp(longest), isNear ? 1.1 * cap : 0);
  const binWidth = Math.max(1, Math.ceil(end / bins));
  const counts = new Uint32Array(Math.floor(longest / binWidth) + 1);
  for (const length of lengths) counts[Math.floor(length / binWidth)]++;
  const bars = Array.from(counts, (tiles, bin) => ({ tiles, low: bin * binWidth, high: (bin + 1) * binWidth }));
  const limit = cap === undefined ? "no limit" : `GAUSSIANS_PER_BLOCK ${cap}`;
  return Plot.plot({
    ...frame,
    marginLeft: 52,
    marginTop: 36,
    marginBottom: 42,
    marginRight: 24,
    style: { fontSize: "12px" },
    ariaLabel: `Histogram of short-list lengths over ${lengths.length} tiles; ${limit}`,
    x: { label: "blobs in a tile's short-list →", domain: [0, Math.max(end, (bars.length + 1) * binWidth)], ticks: 6 },
    y: { label: "↑ tiles", grid: true, nice: true, ticks: 5 },
    marks: [
      Plot.rectY(bars, { x1: "low", x2: "high", y: "tiles", fill: "var(--current)", insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleY([0]),
      isNear
        ? [
            Plot.ruleX([cap], { stroke: "var(--overflow)", strokeWidth: 2 }),
            Plot.text([cap], {
              x: (d: number) => d,
              text: () => limit,
              frameAnchor: "top",
              dy: -16,
              textAnchor: 2 * cap > end ? "end" : "start",
              fill: "var(--overflow)",
              fontWeight: 600,
            }),
          ]
        : cap === undefined
          ? null
          : Plot.text([`${limit} lies beyond →`], {
              frameAnchor: "top-right",
              dy: -16,
              fill: "var(--overflow)",
              fontWeight: 600,
            }),
    ],
  });
}
