import * as Plot from "../../figures/plot.js";
import { linkThings } from "../../figures/pointing.js";
import { type Blending, stepOf, weightBands } from "./blendModel.js";
import { colorOf } from "./pixelStack.js";
import { cssColor } from "./swatch.js";

/**
 * Returns a chart of the weights αT of a pixel's blobs, stacked in the order of blending; T is the space above them.
 * @param choose called with the index of the event of a blob when its band is clicked
 */
export function weightChart(
  { blend, events, shownSteps }: Blending,
  eventIndex: number,
  width: number,
  choose: (eventIndex: number) => void,
): Element {
  const steps = shownSteps.filter(({ alpha }) => alpha > 0);
  const bands = weightBands(steps).map((band, i) => ({ ...band, i, first: i + 0.5 }));
  const doneCount = events.slice(0, eventIndex + 1).filter((event) => (stepOf(event)?.alpha ?? 0) > 0).length;
  const end = Math.max(steps.length, 1) + 0.5;
  const last = bands.at(-1)?.high ?? 0;
  const top = Math.max(1, last);
  const stair = [{ x: 0.5, y: 0 }, ...bands.map(({ first, high }) => ({ x: first, y: high })), { x: end, y: last }];
  const currentBand = bands[doneCount - 1];
  // In a sum no blob blocks another.
  const transmittanceRange =
    currentBand && blend !== "sum"
      ? [{ x: doneCount, low: currentBand.high, middle: (currentBand.high + top) / 2 }]
      : [];
  const plot = Plot.plot({
    width,
    height: 240,
    marginLeft: 48,
    marginBottom: 40,
    marginTop: 22,
    ariaLabel: `Weight of each of ${steps.length} blobs in the pixel, stacked in the order of blending`,
    x: {
      label: "blobs with α > 0, in the order of blending →",
      domain: [0.5, end],
      ticks: Math.min(steps.length, 12),
      tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ""),
    },
    y: { label: "↑ weight", domain: [0, top], ticks: 5, grid: true },
    marks: [
      // Bands can be too thin to point at, so each blob also has a column, which includes its number on the axis.
      Plot.rect(bands, {
        x1: "first",
        x2: ({ first }) => first + 1,
        y1: 0,
        y2: top,
        insetBottom: -20,
        fill: "transparent",
      }),
      Plot.rect(bands, {
        x1: "first",
        x2: end,
        y1: "low",
        y2: "high",
        fill: ({ step }) => cssColor(colorOf(step.blob)),
        fillOpacity: ({ i }) => (i < doneCount ? 1 : 0.18),
        stroke: "var(--theme-foreground-faint)",
        strokeWidth: 0.5,
      }),
      Plot.line(stair, { x: "x", y: "y", curve: "step-after", stroke: "currentColor", strokeWidth: 1 }),
      Plot.ruleY([0]),
      Plot.ruleX(currentBand ? [doneCount] : [], { stroke: "var(--current)", strokeWidth: 1.5 }),
      Plot.ruleX(transmittanceRange, {
        x: "x",
        y1: "low",
        y2: top,
        stroke: "var(--current)",
        strokeWidth: 5,
        strokeOpacity: 0.35,
      }),
      Plot.text(transmittanceRange, {
        x: "x",
        y: "middle",
        text: () => "T",
        dx: doneCount > steps.length / 2 ? -10 : 10,
        fontSize: 14,
      }),
    ],
  });
  const [columns, shown] = plot.querySelectorAll('[aria-label="rect"]');
  columns?.classList.add("weight-columns");
  for (const group of [columns, shown]) {
    for (const [i, rect] of [...(group?.children ?? [])].entries()) {
      linkThings(rect, `blob:${steps[i].index}`);
      (rect as SVGRectElement).onclick = () => choose(events.findIndex((event) => stepOf(event) === steps[i]));
    }
  }
  return plot;
}
