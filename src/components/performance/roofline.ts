import * as Plot from "@observablehq/plot";
import type { BenchResult } from "../../engine/benchResult.js";
import type { Peak } from "../../engine/pipeline.js";
import { element } from "../element.js";
import { inWords, prefixed } from "../format.js";
import { plainChart } from "../plainChart.js";
import { logTicks } from "../runs/runLines.js";
import { type StagePoint, stagesOf, unknownWork } from "./stagePoints.js";
import { stageTable } from "./stageTable.js";

/** Where each stage of binned lies below what the adapter can do; and the numbers under it. */
export function roofline(result: BenchResult): HTMLElement {
  const { peak } = result;
  const stages = stagesOf(result);
  if (!peak || !stages) return unknownWork();
  const chart = plainChart(
    "Each stage of binned below the adapter's roof",
    340,
    (frame) => rooflineChart(frame, peak, stages),
    `The slope is the rate of a copy in memory, ${prefixed(peak.bytesPerSecond)}B a second, the level that of multiply-adds. What fits into a cache may lie above the slope.`,
  );
  return element("div", {}, chart, stageTable(stages, peak));
}

function rooflineChart(frame: { width: number; height: number }, peak: Peak, stages: StagePoint[]) {
  const top = 2 * peak.multiplyAddsPerSecond;
  const ridge = top / peak.bytesPerSecond;
  const computing = stages.filter(({ operations }) => operations > 0);
  const rightmost = computing.toSorted((a, b) => b.intensity - a.intensity)[0];
  const low = Math.min(0.1, ...computing.map(({ intensity }) => intensity / 2));
  const high = Math.max(10 * ridge, ...computing.map(({ intensity }) => 2 * intensity));
  const roof = [low, ridge, high].map((intensity) => ({
    intensity,
    rate: Math.min(intensity * peak.bytesPerSecond, top),
  }));
  const rates = computing.map(({ operationsPerSecond }) => operationsPerSecond);
  const domain = [Math.min(roof[0].rate, ...rates) / 3, 2 * top];
  const short = (value: number) => (value < 1 ? String(value) : prefixed(value).trim());
  return Plot.plot({
    ...frame,
    marginLeft: 56,
    marginRight: 28,
    marginBottom: 42,
    marginTop: 26,
    style: { fontSize: "12px" },
    ariaLabel: "Operations a second of each stage against its operations a byte, below the measured peaks",
    x: {
      type: "log",
      label: "operations a byte →",
      domain: [low, high],
      tickFormat: short,
      ticks: logTicks(low, high),
    },
    y: {
      type: "log",
      label: "↑ operations a second",
      domain,
      grid: true,
      tickFormat: short,
      ticks: logTicks(domain[0], domain[1]),
    },
    marks: [
      Plot.lineY(roof, { x: "intensity", y: "rate", stroke: "currentColor", strokeWidth: 2 }),
      Plot.text(roof.slice(-1), {
        x: "intensity",
        y: "rate",
        text: () => `${inWords(top)} operations a second`,
        textAnchor: "end",
        dy: -10,
      }),
      Plot.dot(computing, { x: "intensity", y: "operationsPerSecond", fill: "var(--current)", r: 5 }),
      // Names stand to the left, the rightmost one's to the right: the two that blend lie side by side.
      computing.map((point) =>
        Plot.text([point], {
          x: "intensity",
          y: "operationsPerSecond",
          text: "stage",
          textAnchor: point === rightmost ? "start" : "end",
          dx: point === rightmost ? 9 : -9,
          fill: "var(--current)",
          fontWeight: 600,
        }),
      ),
    ],
  });
}
